package dev.roost.gate.protocol;

import dev.roost.gate.verdict.Outcome;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.function.Consumer;

/// One connection's side of its protocol: one GET at a time, and its answer. Confined to the
/// connection's event loop.
public interface Dialogue {
  /// The bytes of the next GET, with what the protocol wants ahead of the first one; the caller
  /// releases them.
  ByteBuf question();

  /// Reads from the front of `bytes`, of which it leaves what is not whole.
  ///
  /// @param replies takes what the protocol owes the server at once
  /// @return the open GET's outcome; empty while its answer is not whole
  Optional<Outcome> answer(ByteBuf bytes, Consumer<ByteBuf> replies);

  /// Reads what came while no GET was open, of which it leaves what is not whole.
  ///
  /// @return false if the server had no right to send it
  boolean unasked(ByteBuf bytes, Consumer<ByteBuf> replies);
}
