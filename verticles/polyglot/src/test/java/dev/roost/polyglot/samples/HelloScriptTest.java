package dev.roost.polyglot.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.polyglot.Scripts;
import dev.roost.testkit.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
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
  void ticks_go_on_where_the_client_left_off() throws Exception {
    try (var server = hello()) {
      var request = HttpRequest.newBuilder(server.uri("/ticks")).header("Last-Event-ID", "41");
      try (var lines = server.client().send(request.build(), BodyHandlers.ofLines()).body()) {
        assertThat(lines.limit(6))
            .containsExactly("id: 42", "data: tick 42", "", "id: 43", "data: tick 43", "");
      }
    }
  }

  @Test
  void what_one_posts_the_others_get() throws Exception {
    try (var server = hello()) {
      var request = HttpRequest.newBuilder(server.uri("/news"));
      try (var lines = server.client().send(request.build(), BodyHandlers.ofLines()).body()) {
        assertThat(server.post("/news", "news").statusCode()).isEqualTo(202);
        assertThat(lines.filter(line -> line.startsWith("data")).findFirst())
            .hasValue("data: news");
      }
    }
  }
}
