package dev.roost.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Long polls: nothing lost and nothing twice between two of them. The server under test has a
/// `long-poll.timeout` of a few seconds.
public abstract class PollContract extends Contract {

  @Test
  void a_message_after_the_cursor_is_answered_at_once() {
    var first = server().post("/news", "first").body();
    var second = server().post("/news", "second").body();
    var answer = new JsonObject(server().get("/news/poll?cursor=" + first).body());
    assertThat(answer.getString("cursor")).isEqualTo(second);
    assertThat(answer.getJsonArray("messages"))
        .containsExactly(new JsonObject().put("id", second).put("data", "second"));
  }

  @Test
  void a_poll_waits_for_news() {
    var cursor = server().post("/news", "seen").body();
    var poll = poll(cursor);
    Patience.until("it waits", () -> server().metric("roost_long_polls_waiting") > 0);
    server().post("/news", "news");
    var answer = new JsonObject(Patience.await(poll).body());
    assertThat(answer.getJsonArray("messages").getJsonObject(0).getString("data"))
        .isEqualTo("news");
    assertThat(answer.getBoolean("gap")).isFalse();
  }

  @Test
  void polls_one_after_the_other_lose_and_repeat_nothing() {
    var cursor = server().post("/news", "start").body();
    for (var i = 0; i < 20; i++) {
      server().post("/news", "message " + i);
      var answer = new JsonObject(server().get("/news/poll?cursor=" + cursor).body());
      assertThat(answer.getJsonArray("messages")).hasSize(1);
      cursor = answer.getString("cursor");
    }
  }

  @Test
  void without_news_it_answers_204_with_the_cursor() {
    var cursor = server().post("/news", "seen").body();
    var answer = server().get("/news/poll?cursor=" + cursor);
    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("roost-cursor")).hasValue(cursor);
  }

  @Test
  void a_cursor_that_is_not_in_the_history_is_answered_by_a_gap() {
    server().post("/news", "something");
    var answer = new JsonObject(server().get("/news/poll?cursor=of-another-life").body());
    assertThat(answer.getBoolean("gap")).isTrue();
  }

  private CompletableFuture<HttpResponse<String>> poll(String cursor) {
    var request = HttpRequest.newBuilder(server().uri("/news/poll?cursor=" + cursor)).build();
    return server().client().sendAsync(request, BodyHandlers.ofString());
  }
}
