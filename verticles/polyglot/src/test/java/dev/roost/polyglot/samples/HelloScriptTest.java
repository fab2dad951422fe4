package dev.roost.polyglot.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.polyglot.Scripts;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TestStream;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class HelloScriptTest {

  private static TestServer hello() {
    return TestServer.servingEach(
        Scripts.source(Path.of("samples/hello.js")), UnaryOperator.identity());
  }

  @Test
  void answers_now_and_later() {
    try (var server = hello()) {
      assertThat(server.get("/").body()).isEqualTo("Hello from JavaScript\n");
      assertThat(server.get("/").headers().firstValue("x-powered-by")).hasValue("Roost");
      assertThat(server.get("/hello/Ada?times=2").body())
          .isEqualTo("{\"hello\":\"Ada\",\"times\":2}");
      assertThat(server.get("/later").body()).isEqualTo("Hello, later\n");
    }
  }

  @Test
  void ticks_go_on_where_the_client_left_off() {
    try (var server = hello();
        var stream = TestStream.resume(server, "/ticks", "41")) {
      assertThat(stream.receive()).isEqualTo("id: 42|data: tick 42");
      assertThat(stream.receive()).isEqualTo("id: 43|data: tick 43");
    }
  }

  @Test
  void what_one_posts_the_others_get() {
    try (var server = hello();
        var stream = TestStream.open(server, "/news")) {
      var answer = server.post("/news", "news");
      assertThat(answer.statusCode()).isEqualTo(202);
      assertThat(stream.receive()).isEqualTo("id: %s|data: news".formatted(answer.body()));
    }
  }
}
