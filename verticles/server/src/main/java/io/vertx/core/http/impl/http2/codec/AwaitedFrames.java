package io.vertx.core.http.impl.http2.codec;

import io.vertx.core.http.HttpConnection;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;

/// What an application has sent on an HTTP/2 connection itself, and is to be told of the answer.
public final class AwaitedFrames {

  private static final VarHandle PINGS = field("pongHandlers");
  private static final VarHandle SETTINGS = field("updateSettingsHandlers");

  private AwaitedFrames() {}

  /// Whether Vert.x has what it takes.
  ///
  /// @throws LinkageError if not
  public static void probe() {
    // the fields are looked up when the class is loaded
  }

  /// Whether a PING or SETTINGS of the application has no answer yet. Called on the event loop.
  public static boolean on(HttpConnection connection) {
    return connection instanceof Http2ConnectionImpl http2
        && (isAnyIn(PINGS, http2) || isAnyIn(SETTINGS, http2));
  }

  private static boolean isAnyIn(VarHandle handlers, Http2ConnectionImpl connection) {
    return !((ArrayDeque<?>) handlers.get(connection)).isEmpty();
  }

  private static VarHandle field(String name) {
    var connection = Http2ConnectionImpl.class;
    try {
      return MethodHandles.privateLookupIn(connection, MethodHandles.lookup())
          .findVarHandle(connection, name, ArrayDeque.class);
    } catch (ReflectiveOperationException missing) {
      throw new LinkageError("Http2ConnectionImpl." + name, missing);
    }
  }
}
