package dev.roost.launcher.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// A settings file: keys nested (`server:`, then `port:` below it) or dotted (`server.port:`), each
/// at most once. Refuses what it cannot read, with the line.
public final class YamlFile {
  /// Deeper than any key of the catalogue, and shallow enough for every stack.
  private static final int DEPTH_MAX = 8;

  private final Path file;
  private final List<Assignment> assignments = new ArrayList<>();
  private final Map<String, Source> seen = new HashMap<>();

  private YamlFile(Path file) {
    this.file = file;
  }

  /// The values of the file in its order.
  ///
  /// @throws dev.roost.server.settings.StartRefusal if it cannot be read
  public static List<Assignment> read(Path file) {
    var yaml = new YamlFile(file);
    yaml.walk(yaml.text());
    return List.copyOf(yaml.assignments);
  }

  private String text() {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException _) {
      throw Refusals.refusal("%s: no such file".formatted(file));
    } catch (CharacterCodingException _) {
      throw Refusals.refusal("%s: not UTF-8 text".formatted(file));
    } catch (IOException failure) {
      throw Refusals.refusal("%s: cannot be read (%s)".formatted(file, failure.getMessage()));
    }
  }

  private void walk(String text) {
    try {
      new Compose(LoadSettings.builder().build())
          .composeString(text)
          .ifPresent(root -> walk("", root, 0));
    } catch (MarkedYamlEngineException mistake) {
      int line = mistake.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw Refusals.refusal(
          "%s: not valid YAML: %s"
              .formatted(Source.line(file, line), oneLine(mistake.getProblem())));
    } catch (YamlEngineException mistake) {
      throw Refusals.refusal(
          "%s: not valid YAML: %s".formatted(file, oneLine(String.valueOf(mistake.getMessage()))));
    }
  }

  private void walk(String prefix, Node node, int depth) {
    switch (node) {
      case MappingNode mapping when depth < DEPTH_MAX -> {
        for (var tuple : mapping.getValue()) {
          if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
            throw mistake(tuple.getKeyNode(), "a key must be a word");
          }
          var key = prefix.isEmpty() ? name.getValue() : prefix + "." + name.getValue();
          walk(key, tuple.getValueNode(), depth + 1);
        }
      }
      case ScalarNode scalar when isEmpty(scalar) && Catalogue.section(prefix) -> {}
      case ScalarNode scalar when prefix.isEmpty() ->
          throw mistake(scalar, "\"key: value\" expected");
      case ScalarNode scalar when isEmpty(scalar) ->
          throw mistake(scalar, "%s has no value".formatted(prefix));
      case ScalarNode scalar -> add(prefix, scalar);
      default -> throw mistake(node, "%s must be a single value".formatted(prefix));
    }
  }

  private static boolean isEmpty(ScalarNode scalar) {
    return scalar.getTag().equals(Tag.NULL);
  }

  private void add(String key, ScalarNode scalar) {
    var source = Source.line(file, line(scalar));
    var first = seen.putIfAbsent(key, source);
    if (first != null) {
      throw Refusals.twice(key, first, source);
    }
    assignments.add(new Assignment(key, scalar.getValue(), source));
  }

  private RuntimeException mistake(Node node, String problem) {
    return Refusals.refusal("%s: %s".formatted(Source.line(file, line(node)), problem));
  }

  private static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }

  private static String oneLine(String text) {
    return text.lines().findFirst().orElse(text);
  }
}
