package io.netty.handler.codec.http;

import io.netty.handler.codec.UndecodedBytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// Whether a decoder is amid a request, which Netty keeps to itself.
public final class UndecodedRequest {

  /// The state of a decoder that waits for the first byte of a request.
  private static final Object BETWEEN;

  private static final VarHandle STATE;

  static {
    try {
      var states = Class.forName(HttpObjectDecoder.class.getName() + "$State");
      BETWEEN =
          Arrays.stream(states.getEnumConstants())
              .filter(state -> state.toString().equals("SKIP_INITIAL_LINE_CHARS"))
              .findFirst()
              .orElseThrow(() -> new LinkageError("HttpObjectDecoder.State"));
      STATE =
          MethodHandles.privateLookupIn(HttpObjectDecoder.class, MethodHandles.lookup())
              .findVarHandle(HttpObjectDecoder.class, "currentState", states);
    } catch (ReflectiveOperationException missing) {
      throw new LinkageError("HttpObjectDecoder.currentState", missing);
    }
  }

  private UndecodedRequest() {}

  /// Whether any byte of a request has come that was not handed on. Called on the event loop.
  public static boolean in(HttpObjectDecoder decoder) {
    return UndecodedBytes.in(decoder) || !BETWEEN.equals(STATE.get(decoder));
  }
}
