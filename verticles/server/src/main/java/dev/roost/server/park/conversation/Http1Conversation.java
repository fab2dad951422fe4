package dev.roost.server.park.conversation;

import dev.roost.server.guard.Http1Guard;
import io.netty.handler.codec.http2.KeptHttp2;
import java.util.Optional;

/// HTTP/1.1, where every request says all there is to know.
///
/// @param guard what stands in the connection's pipeline
record Http1Conversation(Http1Guard guard) implements Conversation {

  @Override
  public boolean isIdle() {
    return guard.isIdle();
  }

  @Override
  public boolean isUpgraded() {
    return guard.isUpgraded();
  }

  @Override
  public Optional<KeptHttp2> kept() {
    return Optional.empty();
  }
}
