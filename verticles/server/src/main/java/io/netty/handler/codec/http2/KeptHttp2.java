package io.netty.handler.codec.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;

/// What two peers know of an HTTP/2 connection that has no open stream (RFC 9113), taken from the
/// handler that speaks it, and given to another one. Immutable.
public final class KeptHttp2 {

  private static final int SETTING_BYTES = 6;

  // what the client has set
  private final int tableBytes;
  private final boolean push;
  private final int streamsMax;
  private final int streamWindow;
  private final int frameBytesMax;

  private final int lastStream;

  /// Bytes that the client takes.
  private final int windowOut;

  /// Bytes that it may send.
  private final int windowIn;

  private final KeptTable fields;

  private KeptHttp2(Http2ConnectionHandler handler) {
    var connection = handler.connection();
    var encoder = handler.encoder();
    var configuration = encoder.configuration();
    tableBytes = (int) configuration.headersConfiguration().maxHeaderTableSize();
    push = connection.remote().allowPushTo();
    streamsMax = connection.local().maxActiveStreams();
    streamWindow = encoder.flowController().initialWindowSize();
    frameBytesMax = configuration.frameSizePolicy().maxFrameSize();
    lastStream = connection.remote().lastStreamCreated();
    windowOut = encoder.flowController().windowSize(connection.connectionStream());
    windowIn = windowIn(handler);
    fields = KeptTable.of(FrameReaders.of(handler));
  }

  /// Takes it from `handler`, which [#canBeTakenFrom] must have said. Called on its event loop.
  public static KeptHttp2 from(Http2ConnectionHandler handler) {
    return new KeptHttp2(handler);
  }

  /// Whether no stream is open, no frame has come in part, and neither side has said goodbye.
  public static boolean canBeTakenFrom(Http2ConnectionHandler handler) {
    var connection = handler.connection();
    return connection.numActiveStreams() == 0
        && connection.local().lastStreamCreated() == 0 // we have pushed nothing
        && !connection.goAwaySent()
        && !connection.goAwayReceived()
        && handler.decoder().flowController().unconsumedBytes(connection.connectionStream()) == 0
        && FrameReaders.isBetweenFrames(handler);
  }

  /// Whether Netty has what it takes.
  ///
  /// @throws LinkageError if not
  public static void probe() {
    FrameReaders.probe();
    KeptTable.probe();
  }

  /// What a client says at first, for a fresh handler: its preface and settings, and that it has
  /// ours. It first sets the table for our fields to nothing, so that our next field block empties
  /// the client's as well (RFC 7541, 4.2): the fresh handler knows nothing of what is in there.
  public ByteBuf greeting() {
    var greeting = Unpooled.buffer(128);
    greeting.writeBytes(Http2CodecUtil.connectionPrefaceBuf());
    frame(greeting, Http2FrameTypes.SETTINGS, 0, SETTING_BYTES);
    setting(greeting, Http2CodecUtil.SETTINGS_HEADER_TABLE_SIZE, 0);
    frame(greeting, Http2FrameTypes.SETTINGS, 0, 5 * SETTING_BYTES);
    setting(greeting, Http2CodecUtil.SETTINGS_HEADER_TABLE_SIZE, tableBytes);
    setting(greeting, Http2CodecUtil.SETTINGS_ENABLE_PUSH, push ? 1 : 0);
    setting(greeting, Http2CodecUtil.SETTINGS_MAX_CONCURRENT_STREAMS, streamsMax);
    setting(greeting, Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE, streamWindow);
    setting(greeting, Http2CodecUtil.SETTINGS_MAX_FRAME_SIZE, frameBytesMax);
    frame(greeting, Http2FrameTypes.SETTINGS, Http2Flags.ACK, 0);
    return greeting;
  }

  /// Gives it to a fresh handler that has read the greeting, and whose answers to that the client
  /// must not see. Called on its event loop; what is written here is for the client.
  ///
  /// @param context of `handler`
  /// @throws Http2Exception if it is no fresh one
  public void giveTo(Http2ConnectionHandler handler, ChannelHandlerContext context)
      throws Http2Exception {
    var connection = handler.connection();
    fields.giveTo(FrameReaders.of(handler));
    if (lastStream > 0) {
      connection.remote().createStream(lastStream, true).close();
    }
    var out = handler.encoder().flowController();
    var whole = connection.connectionStream();
    out.incrementWindowSize(whole, windowOut - out.windowSize(whole));
    var owed = windowIn(handler) - windowIn;
    if (owed > 0) {
      var _ =
          handler.encoder().frameWriter().writeWindowUpdate(context, 0, owed, context.newPromise());
    }
  }

  /// The frame that says that no more requests are taken (RFC 9113, 6.8).
  public ByteBuf goodbye() {
    var goodbye = Unpooled.buffer(Http2CodecUtil.GO_AWAY_FRAME_HEADER_LENGTH);
    frame(goodbye, Http2FrameTypes.GO_AWAY, 0, 8);
    return goodbye.writeInt(lastStream).writeInt((int) Http2Error.NO_ERROR.code());
  }

  private static int windowIn(Http2ConnectionHandler handler) {
    var whole = handler.connection().connectionStream();
    return handler.decoder().flowController().windowSize(whole);
  }

  private static void frame(ByteBuf buffer, byte type, int flags, int payloadBytes) {
    buffer.writeMedium(payloadBytes).writeByte(type).writeByte(flags).writeInt(0);
  }

  private static void setting(ByteBuf buffer, char key, int value) {
    buffer.writeShort(key).writeInt(value);
  }
}
