package dev.roost.testkit;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;

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

  /// Those that only a peer can have caused.
  public List<String> blamedOnPeers() {
    return warningsOf(PEERS);
  }

  /// Those in which the regular expression `words` is found.
  public List<String> warningsOf(String words) {
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
