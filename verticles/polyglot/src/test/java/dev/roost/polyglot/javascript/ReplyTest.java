package dev.roost.polyglot.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.TestServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplyTest {

  @Test
  void an_answer_that_does_not_come_is_504() {
    try (var server =
        TestServer.serving(
            routes ->
                routes.get(
                    "/", request -> new Reply(request, Duration.ofMillis(1)).handlerReturned()))) {
      assertThat(server.get("/").statusCode()).isEqualTo(504);
    }
  }
}
