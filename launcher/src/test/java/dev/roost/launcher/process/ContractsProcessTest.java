package dev.roost.launcher.process;

import dev.roost.testkit.BlockingSocketContract;
import dev.roost.testkit.HttpContract;
import dev.roost.testkit.PollContract;
import dev.roost.testkit.SocketContract;
import dev.roost.testkit.StreamContract;
import dev.roost.testkit.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/// What one process promises, two promise together: a client may be anywhere each time.
class ContractsProcessTest {
  @TempDir private static Path folder = Path.of("");
  private static VertxProcess hello;
  private static int port;
  private static int management;

  ContractsProcessTest() {}

  @BeforeAll
  static void start() throws IOException {
    hello = VertxProcess.serving("hello", folder, "--processes=2", "--set", "long-poll.timeout=2s");
    var ready = hello.ready();
    port = Integer.parseInt(ready.group(1));
    management = Integer.parseInt(ready.group(2));
  }

  @AfterAll
  static void stop() {
    hello.close();
  }

  private static TestServer server() {
    return TestServer.at(port, management);
  }

  @Nested
  class Http extends HttpContract {
    @Override
    protected TestServer start() {
      return ContractsProcessTest.server();
    }
  }

  @Nested
  class Sockets extends SocketContract {
    @Override
    protected TestServer start() {
      return ContractsProcessTest.server();
    }
  }

  @Nested
  class BlockingSockets extends BlockingSocketContract {
    @Override
    protected TestServer start() {
      return ContractsProcessTest.server();
    }
  }

  @Nested
  class Streams extends StreamContract {
    @Override
    protected TestServer start() {
      return ContractsProcessTest.server();
    }
  }

  @Nested
  class Polls extends PollContract {
    @Override
    protected TestServer start() {
      return ContractsProcessTest.server();
    }
  }
}
