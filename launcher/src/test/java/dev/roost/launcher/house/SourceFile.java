package dev.roost.launcher.house;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/// One Java source, measured by the JDK's own parser.
///
/// @param types top-level types it declares
record SourceFile(String name, List<String> lines, int types, List<Method> methods) {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /// A method or constructor.
  ///
  /// @param lines between its braces, a text block counted as one
  /// @param parameters none for the canonical constructor of a record
  record Method(String name, int lines, int parameters, boolean isTest) {}

  /// All of them in one run of the parser: starting it takes longer than a file does.
  static List<SourceFile> parse(List<Path> sources) {
    try (var files = COMPILER.getStandardFileManager(null, null, null)) {
      var objects = files.getJavaFileObjectsFromPaths(sources);
      var options = List.of("-proc:none");
      var task = (JavacTask) COMPILER.getTask(null, files, null, options, null, objects);
      var trees = Trees.instance(task);
      var parsed = new ArrayList<SourceFile>();
      for (var unit : task.parse()) {
        parsed.add(measured(unit, trees));
      }
      return parsed;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static SourceFile measured(CompilationUnitTree unit, Trees trees) throws IOException {
    var measure = new Measure(unit, trees);
    measure.scan(unit, null);
    var file = Path.of(unit.getSourceFile().toUri());
    return new SourceFile(
        House.name(file), Files.readAllLines(file), unit.getTypeDecls().size(), measure.methods);
  }

  private static final class Measure extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final Trees trees;
    private final List<Method> methods = new ArrayList<>();
    private boolean inRecord;
    private int textBlockLines;

    Measure(CompilationUnitTree unit, Trees trees) {
      this.unit = unit;
      this.trees = trees;
    }

    @Override
    public Void visitClass(ClassTree type, Void nothing) {
      var outer = inRecord;
      inRecord = type.getKind() == Tree.Kind.RECORD;
      super.visitClass(type, null);
      inRecord = outer;
      return null;
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
      textBlockLines = 0;
      super.visitMethod(method, null);
      methods.add(
          new Method(
              method.getName().toString(),
              method.getBody() == null ? 0 : lines(method.getBody()) - 1 - textBlockLines,
              inRecord && method.getName().contentEquals("<init>")
                  ? 0
                  : method.getParameters().size(),
              isTest(method)));
      return null;
    }

    @Override
    public Void visitLiteral(LiteralTree literal, Void nothing) {
      textBlockLines += lines(literal);
      return null;
    }

    /// How many lines below its first one a tree ends.
    private int lines(Tree tree) {
      var positions = trees.getSourcePositions();
      long start = positions.getStartPosition(unit, tree);
      long end = positions.getEndPosition(unit, tree);
      var map = unit.getLineMap();
      return (int) (map.getLineNumber(end) - map.getLineNumber(start));
    }

    private static boolean isTest(MethodTree method) {
      return method.getModifiers().getAnnotations().stream()
          .map(annotation -> annotation.getAnnotationType().toString())
          .anyMatch(name -> name.equals("Test") || name.equals("ParameterizedTest"));
    }
  }
}
