package io.netty.handler.codec;

/// What a decoder holds of a message that is not whole.
public final class UndecodedBytes {

  private UndecodedBytes() {}

  /// Whether it holds any. Called on the event loop.
  public static boolean in(ByteToMessageDecoder decoder) {
    return decoder.internalBuffer().isReadable();
  }
}
