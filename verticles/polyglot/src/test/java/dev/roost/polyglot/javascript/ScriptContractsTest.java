package dev.roost.polyglot.javascript;

import dev.roost.server.settings.StreamSettings;
import dev.roost.testkit.HttpContract;
import dev.roost.testkit.PollContract;
import dev.roost.testkit.StreamContract;
import dev.roost.testkit.TestServer;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/// Routes in JavaScript keep the contracts of the kinds of route that JavaScript has.
class ScriptContractsTest {

  private static final String NEWS =
      """
      export function routes(r) {
        const news = r.topic("news");
        r.post("/news", async req => news.publish(await req.text()))
          .sse("/news/stream", stream => stream.follow(news))
          .longPoll("/news/poll", () => news);
      }
      """;

  private static final String HELLO =
      """
      export function routes(r) {
        r.filter(req => req.setHeader("server", "Roost"))
          .get("/", () => "Hello from Roost\\n")
          .get("/hello/:name", req => `Hello, ${req.params.name}\\n`)
          .get("/later", async () => {
            await new Promise(resolve => setTimeout(resolve, 20));
            return "Hello, later\\n";
          })
          .post("/echo", async req => await req.text());
      }
      """;

  private static TestServer serving(String script) {
    return TestServer.servingEach(
        new Served("contracts.js").source(script),
        settings ->
            settings.with(
                new StreamSettings(Duration.ofSeconds(15), 256, Duration.ofSeconds(2), 1_024)));
  }

  @Nested
  class Http extends HttpContract {
    @Override
    protected TestServer start() {
      return serving(HELLO);
    }
  }

  @Nested
  class Stream extends StreamContract {
    @Override
    protected TestServer start() {
      return serving(NEWS);
    }
  }

  @Nested
  class Poll extends PollContract {
    @Override
    protected TestServer start() {
      return serving(NEWS);
    }
  }
}
