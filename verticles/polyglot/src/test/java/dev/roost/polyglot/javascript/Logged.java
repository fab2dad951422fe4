package dev.roost.polyglot.javascript;

import dev.roost.testkit.TestServer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// What one logger is told while this is open.
final class Logged extends Handler implements AutoCloseable {

  private final Logger logger;
  private final BlockingQueue<LogRecord> records = new LinkedBlockingQueue<>();

  private Logged(Logger logger) {
    this.logger = logger;
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  static Logged by(String name) {
    return new Logged(Logger.getLogger(name));
  }

  /// The next record; waits for it.
  LogRecord next() throws InterruptedException {
    var record = records.poll(TestServer.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (record == null) {
      throw new AssertionError("nothing was logged by " + logger.getName());
    }
    return record;
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
