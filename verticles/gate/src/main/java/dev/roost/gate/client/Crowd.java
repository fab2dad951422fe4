package dev.roost.gate.client;

import dev.roost.gate.verdict.IdleFigures;
import dev.roost.gate.verdict.RampFigures;
import dev.roost.gate.verdict.RoundFigures;
import java.time.Duration;
import java.util.List;

/// Very many connections to one server, of one process or of several. Confined to one thread; each
/// method blocks until it is done.
public interface Crowd extends AutoCloseable {
  /// Opens `count` more connections with a GET on each and holds those that were answered well, or
  /// gives up once `limit` has passed.
  RampFigures ramp(int count, Duration limit) throws InterruptedException;

  /// Connections that neither side has closed.
  int open() throws InterruptedException;

  /// What has happened on held connections without an open request since the last [#leave].
  IdleFigures idle() throws InterruptedException;

  /// Writes a GET on every held connection, and reads nothing; gives up once `limit` has passed.
  void ask(Duration limit) throws InterruptedException;

  /// Reads the answers to the last [#ask], and gives up once `limit` has passed since it began.
  RoundFigures answers(Duration limit) throws InterruptedException;

  /// Closes all held connections from this side and waits until they are.
  void leave() throws InterruptedException;

  /// A few different causes of what went wrong so far.
  List<String> causes() throws InterruptedException;

  @Override
  void close();
}
