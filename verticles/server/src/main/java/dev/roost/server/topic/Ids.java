package dev.roost.server.topic;

import java.util.HexFormat;
import java.util.Optional;
import java.util.function.LongPredicate;

/// The ids of one topic's messages: which run of the server, which topic, which number. All
/// processes of a server give the same. Immutable.
///
/// @param run no other run's
/// @param possible whether there may be such a number
record Ids(String topic, String run, LongPredicate possible) {

  String id(long number) {
    return prefix() + number;
  }

  /// The number that a client's id stands for; empty for one that we never gave out.
  Optional<Long> place(String id) {
    if (!id.startsWith(prefix())) {
      return Optional.empty();
    }
    try {
      var number = Long.parseLong(id, prefix().length(), id.length(), 10);
      return Optional.of(number).filter(n -> n >= 0 && possible.test(n));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  private String prefix() {
    return run + '.' + HexFormat.of().toHexDigits(topic.hashCode()) + '-';
  }
}
