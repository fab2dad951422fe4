package dev.roost.server.guard.answer;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;

/// Ends a connection behind an answer after which there can be no other: one that says so, or that
/// is not as long as it says (RFC 9112, 6.3 and 9.6). No handler sees what comes behind its
/// request.
///
/// Stands right before Vert.x's own handlers. Confined to the connection's event loop.
public final class LastAnswer extends ChannelDuplexHandler {

  private final Runnable written;
  private final AnswerFrame frame = new AnswerFrame();
  private boolean requestToCome;
  private boolean answered;
  private boolean over;

  /// @param written runs when all of the last answer was handed to the socket, or could not be
  public LastAnswer(Runnable written) {
    this.written = written;
  }

  /// Whether the last answer is on its way: nothing is said on the connection after it, and nothing
  /// that comes is heard.
  public boolean isOver() {
    return over;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (over) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request) {
      frame.asked(request);
      answered = false;
      requestToCome = request.decoderResult().isSuccess(); // or nothing more of it can be read
    }
    if (message instanceof LastHttpContent) {
      requestToCome = false;
    }
    context.fireChannelRead(message);
    endIfSaid(context);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response) {
      if (response.status().codeClass().contains(100)) {
        writeInterim(context, response, promise);
        return;
      }
      frame.begins(response);
    }
    if (over) {
      refuse(message, promise); // it was cut off
    } else {
      writePart(context, message, promise);
    }
    if (message instanceof LastHttpContent) {
      answered = true;
      endIfSaid(context);
    }
  }

  /// Vert.x breaks the connection off at once where it could not read a request; the client may not
  /// have read its answer then.
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (over) {
      var _ = context.channel().closeFuture().addListener(_ -> promise.trySuccess());
    } else {
      var _ = context.close(promise);
    }
  }

  private void writeInterim(
      ChannelHandlerContext context, HttpResponse response, ChannelPromise promise) {
    var _ = context.write(response, promise);
    if (response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
      context.pipeline().remove(this);
    }
  }

  private void writePart(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    var fits = frame.takes(message);
    if (fits || !(message instanceof FileRegion)) {
      var _ = context.write(message, promise);
    } else {
      refuse(message, promise);
    }
    if (!fits) {
      end(context);
    }
  }

  /// What is left of the request is read before.
  private void endIfSaid(ChannelHandlerContext context) {
    if (answered && (frame.bytesLeft() > 0 || (frame.saysClose() && !requestToCome))) {
      end(context);
    }
  }

  private void end(ChannelHandlerContext context) {
    if (!over) {
      over = true;
      var _ = context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> written.run());
    }
  }

  private static void refuse(Object message, ChannelPromise promise) {
    ReferenceCountUtil.release(message);
    if (!promise.isVoid()) {
      promise.tryFailure(new ClosedChannelException());
    }
  }
}
