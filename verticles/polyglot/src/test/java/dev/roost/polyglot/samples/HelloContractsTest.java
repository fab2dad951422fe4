package dev.roost.polyglot.samples;

import dev.roost.server.settings.Mode;
import dev.roost.server.settings.StreamSettings;
import dev.roost.testkit.BlockingSocketContract;
import dev.roost.testkit.HttpContract;
import dev.roost.testkit.PollContract;
import dev.roost.testkit.SocketContract;
import dev.roost.testkit.StreamContract;
import dev.roost.testkit.TestServer;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/// The Java sample keeps every contract, in both modes.
class HelloContractsTest {

  private static TestServer hello(Mode mode) {
    return TestServer.serving(
        new Hello(),
        settings ->
            settings
                .with(mode)
                .with(
                    new StreamSettings(Duration.ofSeconds(15), 256, Duration.ofSeconds(2), 1_024)));
  }

  @Nested
  class Reactor {

    @Nested
    class Http extends HttpContract {
      @Override
      protected TestServer start() {
        return hello(Mode.REACTOR);
      }
    }

    @Nested
    class Socket extends SocketContract {
      @Override
      protected TestServer start() {
        return hello(Mode.REACTOR);
      }
    }

    @Nested
    class BlockingSocket extends BlockingSocketContract {
      @Override
      protected TestServer start() {
        return hello(Mode.REACTOR);
      }
    }

    @Nested
    class Stream extends StreamContract {
      @Override
      protected TestServer start() {
        return hello(Mode.REACTOR);
      }
    }

    @Nested
    class Poll extends PollContract {
      @Override
      protected TestServer start() {
        return hello(Mode.REACTOR);
      }
    }
  }

  @Nested
  class Classic {

    @Nested
    class Http extends HttpContract {
      @Override
      protected TestServer start() {
        return hello(Mode.CLASSIC);
      }
    }

    @Nested
    class Socket extends SocketContract {
      @Override
      protected TestServer start() {
        return hello(Mode.CLASSIC);
      }
    }

    @Nested
    class BlockingSocket extends BlockingSocketContract {
      @Override
      protected TestServer start() {
        return hello(Mode.CLASSIC);
      }
    }

    @Nested
    class Stream extends StreamContract {
      @Override
      protected TestServer start() {
        return hello(Mode.CLASSIC);
      }
    }

    @Nested
    class Poll extends PollContract {
      @Override
      protected TestServer start() {
        return hello(Mode.CLASSIC);
      }
    }
  }
}
