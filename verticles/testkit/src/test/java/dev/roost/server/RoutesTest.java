package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.http.RouteSet;
import dev.roost.testkit.TestServer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Groups, filters and what is said where nothing matched.
class RoutesTest {

  private static final RouteSet INNER =
      routes ->
          routes
              .get("/page", request -> request.end("inner page\n"))
              .filter(request -> mark(request, "inner"))
              .delete("/page", request -> request.end("gone\n"));

  private static final RouteSet ROUTES =
      routes ->
          routes
              .get("/page", request -> request.end("outer page\n"))
              .any("/any", request -> request.end(request.request().method().name()))
              .get("/asleep", RoutesTest::breakOff)
              .group("/inner", INNER)
              .notFound(request -> answer(request, 404, "nothing roosts here\n"))
              .failure(request -> answer(request, request.statusCode(), "it fell\n"))
              .filter(request -> mark(request, "outer"));

  @Test
  void a_group_stands_under_its_prefix() {
    try (var server = TestServer.serving(ROUTES)) {
      assertThat(server.get("/inner/page").body()).isEqualTo("inner page\n");
      assertThat(server.get("/page").body()).isEqualTo("outer page\n");
    }
  }

  @Test
  void a_filter_mounted_last_still_comes_first() {
    try (var server = TestServer.serving(ROUTES)) {
      assertThat(server.get("/page").headers().allValues("x-mark")).containsExactly("outer");
    }
  }

  @Test
  void the_filters_of_a_group_come_after_those_around_it() {
    try (var server = TestServer.serving(ROUTES)) {
      assertThat(server.get("/inner/page").headers().allValues("x-mark"))
          .containsExactly("outer", "inner");
    }
  }

  @Test
  void where_nothing_matched_the_application_answers_behind_its_filters() {
    try (var server = TestServer.serving(ROUTES)) {
      var answer = server.get("/nowhere");
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.body()).isEqualTo("nothing roosts here\n");
      assertThat(answer.headers().allValues("x-mark")).containsExactly("outer");
    }
  }

  @Test
  void a_failure_is_answered_by_the_application() {
    try (var server = TestServer.serving(ROUTES)) {
      assertThat(server.get("/asleep").statusCode()).isEqualTo(500);
      assertThat(server.get("/asleep").body()).isEqualTo("it fell\n");
    }
  }

  @Test
  void a_wrong_method_names_those_of_every_route_on_the_path() {
    try (var server = TestServer.serving(ROUTES)) {
      var answer = server.post("/inner/page", "x");
      assertThat(answer.statusCode()).isEqualTo(405);
      assertThat(answer.headers().firstValue("allow")).hasValue("DELETE, GET, HEAD");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
  void any_serves_every_method(String method) {
    try (var server = TestServer.serving(ROUTES)) {
      var request =
          HttpRequest.newBuilder(server.uri("/any"))
              .method(method, HttpRequest.BodyPublishers.noBody());
      assertThat(server.send(request).body()).isEqualTo(HttpMethod.valueOf(method).name());
    }
  }

  private static void mark(RoutingContext request, String who) {
    request.response().headers().add("x-mark", who);
    request.next();
  }

  private static void breakOff(RoutingContext request) {
    throw new IllegalStateException("the branch broke at " + request.normalizedPath());
  }

  private static void answer(RoutingContext request, int status, String text) {
    request.response().setStatusCode(status);
    request.end(text);
  }
}
