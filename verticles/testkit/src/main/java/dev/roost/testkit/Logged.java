package dev.roost.testkit;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What is logged while it is open. Thread-safe.
public final class Logged extends Handler implements AutoCloseable {

  private static final Logger ROOT = Logger.getLogger("");

  /// What Netty and Vert.x say of broken frames and connections, where nobody listens.
  private static final String PEERS =
      "WebSocketFrame|TooLongFrame|WebSocket is closed|reset by peer|Broken pipe";

  private final Queue<LogRecord> records = new ConcurrentLinkedQueue<>();

  private Logged() {}

  /// Listens to all loggers until it is closed.
  public static Logged everything() {
    var logged = new Logged();
    ROOT.addHandler(logged);
    return logged;
  }

  /// Messages of warnings and errors, with the names of their exceptions. Tests that run at the
  /// same time add theirs.
  public List<String> warnings() {
    return records.stream()
        .filter(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
        .map(line -> line.getMessage() + " " + line.getThrown())
        .toList();
  }

  /// What one logger, and those below it, say at INFO and above, with their exceptions.
  public List<String> linesFrom(String logger) {
    return records.stream()
        .filter(line -> line.getLoggerName().startsWith(logger))
        .map(Logged::text)
        .toList();
  }

  /// Warnings and errors of these loggers, and those below them, with their exceptions.
  public List<String> warningsFrom(String... loggers) {
    return records.stream()
        .filter(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
        .filter(line -> Stream.of(loggers).anyMatch(line.getLoggerName()::startsWith))
        .map(Logged::text)
        .toList();
  }

  private static String text(LogRecord line) {
    var text = new SimpleFormatter().formatMessage(line);
    return line.getThrown() == null ? text : text + " " + line.getThrown();
  }

  /// Those that only a peer can have caused.
  public List<String> blamedOnPeers() {
    return warningsWith(PEERS);
  }

  /// Those in which the regular expression `words` is found.
  public List<String> warningsWith(String words) {
    var pattern = Pattern.compile(words);
    return warnings().stream().filter(line -> pattern.matcher(line).find()).toList();
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
