package dev.roost.server.body;

import io.vertx.core.http.HttpClosedException;
import java.io.IOException;

/// What the reading of a body fails with when its client is gone. Vert.x hands on what the kernel
/// says of a reset, which anybody would take for a failure of the server's own.
final class ClientGone {

  private ClientGone() {}

  static Throwable orSame(Throwable failure) {
    return failure instanceof IOException
        ? new HttpClosedException("the client left: " + failure.getMessage())
        : failure;
  }
}
