package dev.roost.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What acts on the management port of a single process.
class ManagementTest {
  private final TestServer server =
      TestServer.serving(routes -> routes.get("/", request -> request.end("hello")));

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_drain_asks_for_the_end_that_the_program_has_named() {
    var asked = new CompletableFuture<Boolean>();
    server.roost().onDrain(() -> asked.complete(true));
    assertThat(post("/drain").statusCode()).isEqualTo(202);
    assertThat(Patience.await(asked)).isTrue();
  }

  @Test
  void a_single_process_cannot_be_replaced_while_it_serves() {
    assertThat(post("/reload"))
        .returns(409, HttpResponse::statusCode)
        .returns(
            "processes is 1: there is no other process to serve meanwhile\n", HttpResponse::body);
  }

  @Test
  void looking_does_not_act() {
    assertThat(server.management("/drain").statusCode()).isEqualTo(405);
    assertThat(server.management("/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void a_page_in_a_browser_cannot_act() {
    var request = request("/drain").header("origin", "https://example.org");
    assertThat(server.send(request).statusCode()).isEqualTo(403);
    assertThat(server.management("/readyz").statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> post(String path) {
    return server.send(request(path));
  }

  private HttpRequest.Builder request(String path) {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(server.roost().managementPort(), path));
    return HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody());
  }
}
