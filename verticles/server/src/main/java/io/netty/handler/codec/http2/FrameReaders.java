package io.netty.handler.codec.http2;

import io.netty.handler.codec.UndecodedBytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// What reads the frames of a connection, which Netty keeps to itself.
final class FrameReaders {

  private static final VarHandle DELEGATE =
      field(DecoratingHttp2ConnectionDecoder.class, "delegate", Http2ConnectionDecoder.class);

  private static final VarHandle READER =
      field(DefaultHttp2ConnectionDecoder.class, "frameReader", Http2FrameReader.class);

  /// Whether the next byte is the first of a frame.
  private static final VarHandle BETWEEN =
      field(DefaultHttp2FrameReader.class, "readingHeaders", boolean.class);

  /// The field block that goes on in the next frame, if one does.
  private static final VarHandle CONTINUED = continued();

  private FrameReaders() {}

  static void probe() {
    if (isAmid(new DefaultHttp2FrameReader())) {
      throw new LinkageError("DefaultHttp2FrameReader");
    }
  }

  static Http2FrameReader of(Http2ConnectionHandler handler) {
    var decoder = handler.decoder();
    while (decoder instanceof DecoratingHttp2ConnectionDecoder decorating) {
      decoder = (Http2ConnectionDecoder) DELEGATE.get(decorating);
    }
    return (Http2FrameReader) READER.get((DefaultHttp2ConnectionDecoder) decoder);
  }

  /// Whether no byte of a frame, or of a field block in several frames, has come.
  static boolean isBetweenFrames(Http2ConnectionHandler handler) {
    return !UndecodedBytes.in(handler)
        && of(handler) instanceof DefaultHttp2FrameReader reader
        && !isAmid(reader);
  }

  private static boolean isAmid(DefaultHttp2FrameReader reader) {
    return !(boolean) BETWEEN.get(reader) || CONTINUED.get(reader) != null;
  }

  static VarHandle field(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException missing) {
      throw new LinkageError(owner.getSimpleName() + "." + name, missing);
    }
  }

  private static VarHandle continued() {
    var reader = DefaultHttp2FrameReader.class;
    try {
      var continuation = Class.forName(reader.getName() + "$HeadersContinuation");
      return field(reader, "headersContinuation", continuation);
    } catch (ClassNotFoundException missing) {
      throw new LinkageError("DefaultHttp2FrameReader.HeadersContinuation", missing);
    }
  }
}
