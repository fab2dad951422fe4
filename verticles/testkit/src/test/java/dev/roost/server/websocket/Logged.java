package dev.roost.server.websocket;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// What is logged about sockets and their frames while it is open; other tests run meanwhile.
final class Logged extends Handler implements AutoCloseable {

  private static final Logger ROOT = Logger.getLogger("");

  private static final List<String> ABOUT_SOCKETS =
      List.of(
          "dev.roost.server.websocket.",
          "dev.roost.server.guard.",
          "io.vertx.core.",
          "io.netty.handler.codec.",
          "io.netty.channel.");

  private final Queue<LogRecord> records = new ConcurrentLinkedQueue<>();

  private Logged() {}

  static Logged aboutSockets() {
    var logged = new Logged();
    ROOT.addHandler(logged);
    return logged;
  }

  /// Messages of warnings and errors, with the names of their exceptions.
  List<String> warnings() {
    return records.stream()
        .filter(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
        .filter(line -> ABOUT_SOCKETS.stream().anyMatch(line.getLoggerName()::startsWith))
        .filter(line -> !line.getMessage().contains("ws.origins")) // another test's
        .map(line -> line.getMessage() + " " + line.getThrown())
        .toList();
  }

  @Override
  public void publish(LogRecord line) {
    records.add(line);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    ROOT.removeHandler(this);
  }
}
