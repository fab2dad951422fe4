package dev.roost.polyglot.javascript;

import dev.roost.testkit.Patience;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// What one logger is told, while this is open, of what a test looks for.
final class Logged extends Handler implements AutoCloseable {

  private final Logger logger;
  private final Predicate<LogRecord> wanted;
  private final BlockingQueue<LogRecord> records = new LinkedBlockingQueue<>();

  Logged(String logger, Predicate<LogRecord> wanted) {
    this.logger = Logger.getLogger(logger);
    this.wanted = wanted;
    this.logger.addHandler(this);
  }

  /// The next record; waits for it.
  LogRecord next() {
    return Patience.poll(records);
  }

  @Override
  public void publish(LogRecord record) {
    if (wanted.test(record)) {
      records.add(record);
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
