package dev.roost.server.link;

import java.util.Arrays;
import java.util.Optional;

/// What a message between a worker and its supervisor is about; the package says what each carries.
/// During a rolling restart into another version the two may differ: a number keeps its meaning.
public enum FrameKind {
  ADOPTED(0),
  READY(1),
  SCRAPE(2),
  METRICS(3),
  RETIRE(4),
  STOP(5),
  TICKET_KEYS(6),
  JOIN(7),
  TOPICS(8),
  PUBLISH(9),
  MESSAGE(10),
  GONE(11),
  BROADCAST(12),
  LOST(13),
  ORDERED(14);

  private final int number;

  FrameKind(int number) {
    this.number = number;
  }

  /// On the wire.
  int number() {
    return number;
  }

  /// @return empty for a number that another version may know
  static Optional<FrameKind> of(int number) {
    return Arrays.stream(values()).filter(kind -> kind.number == number).findFirst();
  }
}
