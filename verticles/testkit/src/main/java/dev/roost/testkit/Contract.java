package dev.roost.testkit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/// What every implementation of the hello routes promises. A subclass only says what to serve; one
/// server serves all tests of the class.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Contract {

  private TestServer server;

  @SuppressWarnings("NullAway.Init") // the server is started before the first test
  Contract() {}

  /// Starts the implementation; closed after the last test.
  protected abstract TestServer start();

  /// The implementation under test.
  protected final TestServer server() {
    return server;
  }

  @BeforeAll
  final void startServer() {
    server = start();
  }

  @AfterAll
  final void stopServer() {
    server.close();
  }
}
