package dev.roost.server.relay;

import dev.roost.server.topic.TopicOrder;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/// Notes to every process of the server, the sender's own included: for caches that are to forget,
/// sessions that are revoked, limits that are used up. In a server of one process it is local.
///
/// A note arrives once or, where a process is too slow or has just started, not at all. Those of a
/// server arrive in one order everywhere. Thread-safe.
public interface Relay {

  /// Bytes of a note, its channel's name included.
  int NOTE_BYTES_MAX = 1 << 20;

  /// Hears the notes of a channel.
  interface Listener {

    /// A note has come. Called on the relay's thread, or the sender's: it must not wait.
    void heard(Buffer note);

    /// Notes may have been lost: forget what they would have made you forget.
    default void lost() {}
  }

  /// Tells all. Never blocks.
  ///
  /// @param note not to be changed any more
  /// @return false if too much waits to be told already, or the supervisor has gone: nobody hears
  ///   it
  /// @throws IllegalArgumentException if it is longer than [#NOTE_BYTES_MAX]
  boolean broadcast(String channel, Buffer note);

  /// Hears that channel from now on, until the process ends. Listen first, then load what the notes
  /// are about.
  void on(String channel, Listener listener);

  /// Who puts the topics' messages in order; empty in a server of one process.
  Optional<TopicOrder> order();

  /// That of a server of one process.
  static Relay local() {
    return new LocalRelay();
  }
}
