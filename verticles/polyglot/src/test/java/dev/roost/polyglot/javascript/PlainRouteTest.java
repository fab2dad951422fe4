package dev.roost.polyglot.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

class PlainRouteTest {

  private static final Served SCRIPT = new Served("plain.js");

  @Test
  void a_string_is_answered_as_text() {
    try (var server = SCRIPT.routes("r.get('/', () => 'Grüße\\n');")) {
      var answer = server.get("/");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("Grüße\n");
      assertThat(answer.headers().firstValue("content-type")).hasValue("text/plain; charset=utf-8");
    }
  }

  @Test
  void an_object_and_an_array_are_answered_as_json() {
    try (var server =
        SCRIPT.routes(
            """
            r.get("/object", () => ({ status: "up", parts: [1, 2] }));
            r.get("/array", async () => [{ a: null }]);
            """)) {
      var answer = server.get("/object");
      assertThat(answer.body()).isEqualTo("{\"status\":\"up\",\"parts\":[1,2]}");
      assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
      assertThat(server.get("/array").body()).isEqualTo("[{\"a\":null}]");
    }
  }

  @Test
  void a_promise_is_awaited() {
    try (var server =
        SCRIPT.routes(
            """
            r.get("/", async () => {
              await new Promise(resolve => setTimeout(resolve, 5));
              return "later";
            });
            """)) {
      assertThat(server.get("/").body()).isEqualTo("later");
    }
  }

  @Test
  void a_response_has_its_status_headers_and_body() {
    try (var server =
        SCRIPT.routes(
            """
            r.get("/", () => ({
              status: 201,
              headers: { "content-type": "text/html", "set-cookie": ["a=1", "b=2"] },
              body: "<p>"
            }));
            """)) {
      var answer = server.get("/");
      assertThat(answer.statusCode()).isEqualTo(201);
      assertThat(answer.headers().allValues("content-type")).containsExactly("text/html");
      assertThat(answer.headers().allValues("set-cookie")).containsExactly("a=1", "b=2");
      assertThat(answer.body()).isEqualTo("<p>");
    }
  }

  @Test
  void bytes_and_nothing_are_bodies_too() {
    try (var server =
        SCRIPT.routes(
            """
            r.get("/bytes", () => new TextEncoder().encode("é"));
            r.get("/nothing", () => ({ status: 204 }));
            """)) {
      var answer = server.get("/bytes");
      assertThat(answer.body()).isEqualTo("é");
      assertThat(answer.headers().firstValue("content-type")).hasValue("application/octet-stream");
      assertThat(server.get("/nothing").statusCode()).isEqualTo(204);
    }
  }

  @Test
  void a_handler_may_answer_by_itself_and_return_nothing() {
    try (var server =
        SCRIPT.routes("r.get('/', req => { setTimeout(() => req.respond('by itself'), 1); });")) {
      assertThat(server.get("/").body()).isEqualTo("by itself");
    }
  }

  @Test
  void the_request_tells_its_parts() {
    try (var server =
        SCRIPT.routes(
            """
            r.get("/p/:slug", req => [req.method, req.path, req.params, req.query.q,
              req.query.none === undefined, req.header("x-one"), req.header("none")]);
            """)) {
      var request = HttpRequest.newBuilder(server.uri("/p/a%20b?q=1&q=2")).header("x-one", "1");
      assertThat(server.send(request).body())
          .isEqualTo("[\"GET\",\"/p/a%20b\",{\"slug\":\"a b\"},\"1\",true,\"1\",null]");
    }
  }

  @Test
  void a_body_is_read_as_text_or_json() {
    try (var server =
        SCRIPT.routes(
            """
            r.post("/text", async req => (await req.text()).toUpperCase());
            r.put("/json", async req => String((await req.json()).n + 1));
            """)) {
      assertThat(server.post("/text", "é").body()).isEqualTo("É");
      var put =
          HttpRequest.newBuilder(server.uri("/json")).PUT(BodyPublishers.ofString("{\"n\":1}"));
      assertThat(server.send(put).body()).isEqualTo("2");
    }
  }

  @Test
  void filters_and_groups_stand_before_the_routes_in_them() {
    try (var server =
        SCRIPT.routes(
            """
            r.filter(req => req.setHeader("x-outer", "1"));
            r.group("/in", g => g
              .filter(async req => { await null; if (req.query.stop) return { status: 403 }; })
              .post("/echo", req => req.text()));
            """)) {
      var answer = server.post("/in/echo", "passed");
      assertThat(answer.body()).isEqualTo("passed");
      assertThat(answer.headers().firstValue("x-outer")).hasValue("1");
      assertThat(server.post("/in/echo?stop=1", "").statusCode()).isEqualTo(403);
    }
  }

  @Test
  void a_module_may_export_its_routes_as_default() {
    try (var server = SCRIPT.module("export default r => { r.get('/', () => 'default') }")) {
      assertThat(server.get("/").body()).isEqualTo("default");
    }
  }
}
