package dev.roost.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Plain and deferred routes, filters and refusals, over TLS, HTTP/1.1 and HTTP/2.
public abstract class HttpContract extends Contract {

  @Test
  void a_plain_route_answers() {
    var answer = server().get("/");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("Hello from Roost\n");
  }

  @Test
  void http2_is_chosen_by_alpn() {
    var request = HttpRequest.newBuilder(server().uri("/")).version(HttpClient.Version.HTTP_2);
    var answer = server().send(request);
    assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(answer.body()).isEqualTo("Hello from Roost\n");
  }

  @Test
  void a_path_parameter_reaches_the_handler_decoded() {
    assertThat(server().get("/hello/%C3%85sa%20B").body()).isEqualTo("Hello, Åsa B\n");
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void head_has_the_length_and_no_body(HttpClient.Version version) {
    var request = HttpRequest.newBuilder(server().uri("/")).version(version);
    var answer = server().send(request.method("HEAD", BodyPublishers.noBody()));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-length")).hasValue("17");
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void a_deferred_route_answers_later() {
    assertThat(server().get("/later").body()).isEqualTo("Hello, later\n");
  }

  @Test
  void a_body_reaches_the_handler_whole() {
    var body = "0123456789".repeat(100_000);
    assertThat(server().post("/echo", body).body()).isEqualTo(body);
  }

  @Test
  void a_body_above_the_bound_answers_413() {
    var request = HttpRequest.newBuilder(server().uri("/echo"));
    var answer = server().sendAlone(request.POST(BodyPublishers.ofString("x".repeat(10_485_761))));
    assertThat(answer.statusCode()).isEqualTo(413);
  }

  @Test
  void an_unknown_path_answers_404() {
    assertThat(server().get("/nowhere").statusCode()).isEqualTo(404);
  }

  @Test
  void a_wrong_method_answers_405_with_what_is_allowed() {
    var answer = server().post("/", "x");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD");
  }

  @Test
  void a_head_above_the_bound_answers_431() {
    var request = HttpRequest.newBuilder(server().uri("/")).header("x-long", "x".repeat(9_000));
    assertThat(server().sendAlone(request).statusCode()).isEqualTo(431);
  }

  @Test
  void a_filter_sees_every_kind_of_answer() {
    for (var path :
        new String[] {"/", "/later", "/nowhere", "/news/poll?cursor=x", "/echo/async"}) {
      assertThat(server().get(path).headers().firstValue("server")).as(path).hasValue("Roost");
    }
  }
}
