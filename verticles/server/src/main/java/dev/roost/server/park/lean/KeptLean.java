package dev.roost.server.park.lean;

import dev.roost.server.lean.Aead;
import dev.roost.server.lean.Alert;
import dev.roost.server.lean.LeanConnection;
import dev.roost.server.lean.LeanState;
import io.netty.handler.ssl.KeptTls;
import java.nio.ByteBuffer;

/// What a lean-parked connection goes on with.
///
/// @param state secrets and record numbers
/// @param alpn what its client has agreed to
public record KeptLean(LeanState state, Alpn alpn) implements KeptTls {

  @Override
  public void sayGoodbye(ByteBuffer last, ByteBuffer into) {
    var aead = Aead.ofThread();
    var connection = new LeanConnection(state);
    if (last.hasRemaining() && !connection.owesKeyUpdate()) {
      var bytes = last.remaining();
      last.get(aead.plain(), 0, bytes);
      into.put(aead.record(), 0, connection.sealData(aead, bytes));
    }
    into.put(aead.record(), 0, connection.sealAlert(aead, Alert.CLOSE_NOTIFY));
    connection.wipe();
  }

  @Override
  public void free() {
    state.wipe();
  }
}
