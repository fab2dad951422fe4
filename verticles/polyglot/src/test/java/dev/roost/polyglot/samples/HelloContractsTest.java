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

  @Nested
  class Reactor extends Contracts {
    Reactor() {
      super(Mode.REACTOR);
    }
  }

  @Nested
  class Classic extends Contracts {
    Classic() {
      super(Mode.CLASSIC);
    }
  }

  /// All of them in one mode.
  abstract static class Contracts {
    private final Mode mode;

    Contracts(Mode mode) {
      this.mode = mode;
    }

    private TestServer hello() {
      var soon = new StreamSettings(Duration.ofSeconds(15), 256, Duration.ofSeconds(2), 1_024);
      return TestServer.serving(new Hello(), settings -> settings.with(mode).with(soon));
    }

    @Nested
    class Http extends HttpContract {
      @Override
      protected TestServer start() {
        return hello();
      }
    }

    @Nested
    class Socket extends SocketContract {
      @Override
      protected TestServer start() {
        return hello();
      }
    }

    @Nested
    class BlockingSocket extends BlockingSocketContract {
      @Override
      protected TestServer start() {
        return hello();
      }
    }

    @Nested
    class Stream extends StreamContract {
      @Override
      protected TestServer start() {
        return hello();
      }
    }

    @Nested
    class Poll extends PollContract {
      @Override
      protected TestServer start() {
        return hello();
      }
    }
  }
}
