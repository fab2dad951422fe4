package dev.roost.polyglot.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.testkit.TestServer;
import org.junit.jupiter.api.Test;

class HelloTest {

  @Test
  void says_hello_to_whom_it_is_asked() {
    try (var server = TestServer.serving(new Hello())) {
      assertThat(server.get("/hello/Ada").body()).isEqualTo("Hello, Ada\n");
      assertThat(server.get("/later").body()).isEqualTo("Hello, later\n");
      assertThat(server.get("/slow").body()).isEqualTo("Hello from a virtual thread\n");
      assertThat(server.post("/echo", "x").body()).isEqualTo("x");
    }
  }
}
