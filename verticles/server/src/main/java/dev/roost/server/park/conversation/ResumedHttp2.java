package dev.roost.server.park.conversation;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.KeptHttp2;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// Stands behind the TLS handler of a woken HTTP/2 connection while Vert.x sets it up: greets it in
/// the client's stead, keeps its answers from the client, which has seen them, and gives it what
/// the peers know of each other. Confined to the connection's event loop.
public final class ResumedHttp2 extends ChannelDuplexHandler {

  private static final Logger LOG = System.getLogger(ResumedHttp2.class.getName());

  private final KeptHttp2 kept;

  private ResumedHttp2(KeptHttp2 kept) {
    this.kept = kept;
  }

  /// Called on the event loop, before the first record comes.
  ///
  /// @param context of any handler of the connection
  public static void prepare(ChannelHandlerContext context, KeptHttp2 kept) {
    var pipeline = context.pipeline();
    var tls = pipeline.context(SslHandler.class);
    pipeline.addAfter(tls.name(), "resumedHttp2", new ResumedHttp2(kept));
  }

  /// With the first record, the TLS handler finds its handshake done, and Vert.x puts its handlers
  /// in place.
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event)
      throws Http2Exception {
    context.fireUserEventTriggered(event);
    if (event instanceof SslHandshakeCompletionEvent done && done.isSuccess()) {
      resume(context);
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    ReferenceCountUtil.release(message);
    promise.trySuccess();
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    // nothing is written
  }

  private void resume(ChannelHandlerContext context) throws Http2Exception {
    var pipeline = context.pipeline();
    var http2 = pipeline.context(Http2ConnectionHandler.class);
    if (http2 == null) {
      LOG.log(Level.WARNING, "a woken connection of HTTP/2 speaks another protocol");
      var _ = context.close();
      return;
    }
    context.fireChannelRead(kept.greeting());
    pipeline.remove(this);
    kept.giveTo((Http2ConnectionHandler) http2.handler(), http2);
  }
}
