package dev.roost.polyglot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import dev.roost.testkit.TestServer;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptsTest {

  @TempDir private Path folder;

  @Test
  void another_kind_of_file_is_refused_with_the_known_ones() {
    var file = folder.resolve("hello.txt");
    assertRefused(file, file + ": not a known kind of script; known: .js, .mjs");
  }

  @Test
  void a_missing_file_is_refused() {
    var file = folder.resolve("hello.mjs");
    assertRefused(file, file + ": no such file");
  }

  @Test
  void a_file_that_is_no_text_is_refused() throws Exception {
    var file = Files.write(folder.resolve("hello.js"), new byte[] {(byte) 0xff});
    assertRefused(file, file + ": is not a text in UTF-8");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "const a = 1;~throw new TypeError('bad'); | app.js:2: TypeError: bad",
        "~~let = (; | app.js:3: SyntaxError: Expected an operand but found let",
        "import './other.js'; | app.js: Error: Operation is not allowed for: other.js",
        "const a = 1; | app.js: exports no routes; it needs: export function routes(r) { … }",
        "export const routes = 1; "
            + "| app.js: exports no routes; it needs: export function routes(r) { … }",
        "~export function routes(r) { r.fetch('/', () => 1); } "
            + "| app.js:2: TypeError: invokeMember (fetch) on "
            + "dev.roost.polyglot.javascript.ScriptRoutes failed due to: "
            + "Unknown identifier: fetch",
        "~export function routes(r) { r.get('/', 'text'); } "
            + "| app.js:2: /: needs a function, not text",
        "export async function routes(r) {} | app.js: routes is an async function; "
            + "it must have added its routes when it returns",
      })
  void a_script_that_cannot_be_mounted_stops_the_start(String text, String message)
      throws Exception {
    var file = Files.writeString(folder.resolve("app.js"), text.replace('~', '\n'));
    assertThatThrownBy(() -> TestServer.servingEach(Scripts.source(file), UnaryOperator.identity()))
        .isInstanceOfSatisfying(
            StartRefusal.class, refusal -> assertThat(refusal.stage()).isEqualTo(Stage.APPLICATION))
        .hasMessage(message);
  }

  @Test
  void without_an_engine_the_refusal_says_how_to_get_it() throws Exception {
    var file = Files.writeString(folder.resolve("hello.js"), "export default () => {};");
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java, "-cp", withoutEngine(), WithoutEngine.class.getName(), file.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(process.inputReader().lines())
        .containsExactly(
            "hello.js: the JavaScript engine is not on the class path; scripts/mvn -DskipTests"
                + " package puts it into verticles/polyglot/target/engines/js, elsewhere add"
                + " org.graalvm.polyglot:js-community to your dependencies");
  }

  /// Run in a JVM of its own, whose class path is the launcher's.
  static final class WithoutEngine {
    private WithoutEngine() {}

    static void main(String[] arguments) {
      try {
        Scripts.source(Path.of(arguments[0]));
      } catch (StartRefusal refusal) {
        IO.println(refusal.getMessage());
      }
    }
  }

  private static String withoutEngine() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.matches(".*[/\\\\](js-language|truffle-.*|regex)-[^/\\\\]*jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void assertRefused(Path file, String message) {
    assertThatThrownBy(() -> Scripts.source(file))
        .isInstanceOfSatisfying(
            StartRefusal.class, refusal -> assertThat(refusal.stage()).isEqualTo(Stage.APPLICATION))
        .hasMessage(message);
  }
}
