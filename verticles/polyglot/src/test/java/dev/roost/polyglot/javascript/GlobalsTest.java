package dev.roost.polyglot.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GlobalsTest {

  private static final Served SCRIPT = new Served("globals.js");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "typeof Java",
        "typeof Packages",
        "typeof Polyglot",
        "typeof Graal",
        "typeof load",
        "typeof print",
        "typeof Atomics",
        "typeof SharedArrayBuffer",
        "typeof Worker",
        "typeof req.getClass",
        "typeof req.realm",
        "typeof r.answering",
        "typeof r.topic('t').topic",
      })
  void what_is_not_promised_is_not_there(String expression) {
    try (var server = SCRIPT.routes("r.get('/', req => %s);".formatted(expression))) {
      assertThat(server.get("/").body()).isEqualTo("undefined");
    }
  }

  @Test
  void a_request_cannot_be_changed() {
    try (var server =
        SCRIPT.routes(
            """
            "use strict";
            r.get("/:a", req => {
              const refused = [];
              for (const change of [() => req.method = "PUT", () => req.params.a = "b"]) {
                try { change(); } catch (e) { refused.push(e.name); }
              }
              return [req.method, req.params.a, refused.length];
            });
            """)) {
      assertThat(server.get("/x").body()).isEqualTo("[\"GET\",\"x\",2]");
    }
  }

  @Test
  void timers_can_be_cleared_and_pass_arguments_on() {
    try (var server =
        SCRIPT.routes(
            """
            r.get("/", () => new Promise(resolve => {
              const never = [setTimeout(resolve, 1, "cleared"), setInterval(resolve, 1, "cleared")];
              never.forEach(clearTimeout);
              clearInterval(undefined);
              let ticks = 0;
              const every = setInterval(() => {
                if (++ticks < 3) return;
                clearInterval(every);
                setTimeout(resolve, "soon", "three ticks");
              }, 2);
            }));
            """)) {
      assertThat(server.get("/").body()).isEqualTo("three ticks");
    }
  }

  @Test
  void the_console_speaks_to_the_log_under_the_scripts_name() {
    try (var log = SCRIPT.console();
        var _ =
            SCRIPT.module(
                "console.warn('{0}', { a: 1 }, [2], undefined); export default () => {};")) {
      var record = log.next();
      assertThat(record.getMessage()).isEqualTo("{0} {a: 1} [2] undefined");
      assertThat(record.getLevel()).isEqualTo(Level.WARNING);
    }
  }
}
