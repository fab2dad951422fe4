package dev.roost.polyglot.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptFailureTest {

  private static final Served SCRIPT = new Served("failing.js");

  private static final String SERVER_LOG = "dev.roost.server.http.PlainAnswers";

  private static final String FAILING =
      """
      r.get("/throws", () => { throw new TypeError("secret"); });
      r.get("/rejects", async () => { await null; null.secret; });
      r.get("/string", () => { throw "secret"; });
      r.get("/function", () => () => {});
      r.get("/status", () => ({ status: 99 }));
      r.get("/header", () => ({ status: 200, headers: { "x": "1\\r\\nsecret: 2" } }));
      r.get("/framing", () => ({ status: 200, headers: { "Content-Length": "secret" } }));
      r.get("/twice", req => { req.respond("one"); req.respond("two"); });
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "throws | failing.js:2: TypeError: secret",
        "rejects | failing.js:3: TypeError: Cannot read property 'secret' of null",
        "string | failing.js:4: secret",
        "function | failing.js: () => {} cannot be told as JSON",
        "status | failing.js: status: 99 is not in 200..599",
        "framing | failing.js: headers: Content-Length is the server's to set",
      })
  void a_failure_is_500_to_the_client_and_a_place_in_the_log(String route, String line) {
    try (var log = SCRIPT.by(SERVER_LOG);
        var server = SCRIPT.routes(FAILING)) {
      var answer = server.get("/" + route);
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).isEqualTo("500 Internal Server Error\n");
      assertThat(log.next().getThrown()).hasMessage(line);
    }
  }

  @Test
  void the_stack_trace_is_the_scripts_alone() {
    try (var log = SCRIPT.by(SERVER_LOG);
        var server =
            SCRIPT.module(
                "const deep = () => { throw new Error('x'); };\n"
                    + "export const routes = r => r.get('/', function top() { deep(); });")) {
      server.get("/");
      assertThat(Objects.requireNonNull(log.next().getThrown()).getStackTrace())
          .extracting(frame -> frame.getMethodName() + ":" + frame.getLineNumber())
          .containsExactly("deep:1", "top:2");
    }
  }

  @Test
  void a_header_cannot_break_out_of_its_line() {
    try (var log = SCRIPT.by(SERVER_LOG);
        var server = SCRIPT.routes(FAILING)) {
      var answer = server.get("/header");
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.headers().map()).doesNotContainKeys("x", "secret");
      assertThat(log.next().getThrown()).hasMessageStartingWith("failing.js: ");
    }
  }

  @Test
  void an_error_may_tell_its_own_status() {
    try (var server =
        SCRIPT.routes(
            """
            r.get("/gone", () => { throw Object.assign(new Error("secret"), { status: 404 }); });
            r.post("/json", async req => await req.json());
            """)) {
      assertThat(server.get("/gone").statusCode()).isEqualTo(404);
      assertThat(server.get("/gone").body()).doesNotContain("secret");
      assertThat(server.post("/json", "{").statusCode()).isEqualTo(400);
      assertThat(server.post("/json", "{\"a\":1}").body()).isEqualTo("{\"a\":1}");
    }
  }

  @Test
  void a_second_answer_is_logged_and_the_first_stands() {
    try (var log = SCRIPT.by(Reply.class);
        var server = SCRIPT.routes(FAILING)) {
      assertThat(server.get("/twice").body()).isEqualTo("one");
      assertThat(log.next().getMessage())
          .isEqualTo("too late to answer: failing.js:9: this request is answered already");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "setTimeout(() => { throw new Error('x'); }, 1) | nothing caught failing.js:1: Error: x",
        "setTimeout(async () => { null.x; }, 1) "
            + "| nothing caught failing.js:1: TypeError: Cannot read property 'x' of null",
        "Promise.reject(new RangeError('x')) | nothing caught failing.js:1: RangeError: x",
      })
  void what_nobody_catches_is_logged(String statement, String line) {
    try (var log = SCRIPT.by(Realm.class);
        var server = SCRIPT.module(statement + "; export default r => r.get('/', () => 'up');")) {
      assertThat(log.next().getMessage()).isEqualTo(line);
      assertThat(server.get("/").body()).isEqualTo("up");
    }
  }
}
