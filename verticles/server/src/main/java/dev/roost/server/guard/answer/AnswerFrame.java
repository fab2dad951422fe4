package dev.roost.server.guard.answer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import java.util.Set;

/// By what the client tells where one answer on HTTP/1.1 ends (RFC 9112, 6.3), and whether the
/// handler keeps to it: a client that waits for bytes that do not come, or takes bytes beyond the
/// declared length for the next answer, is lost on this connection. Confined to its event loop.
public final class AnswerFrame {

  /// Statuses whose answers have no body, whatever their head says (RFC 9110, 15).
  private static final Set<Integer> WITHOUT_BODY = Set.of(204, 205, 304);

  private boolean clientCloses;
  private boolean bodyFollows;
  private boolean saysClose;
  private boolean declared;
  private long bytesLeft;

  /// A request is handed to its handler.
  public void asked(HttpRequest request) {
    clientCloses = !HttpUtil.isKeepAlive(request);
    bodyFollows =
        !request.method().equals(HttpMethod.HEAD) && !request.method().equals(HttpMethod.CONNECT);
    saysClose = false;
    declared = false;
    bytesLeft = 0;
  }

  /// Its answer begins. A length that is none, or several, is not told to the client; without one,
  /// and without chunks, the end of the connection is the end of the answer.
  public void begins(HttpResponse answer) {
    var headers = answer.headers();
    if (bodyFollows && !WITHOUT_BODY.contains(answer.status().code())) {
      if (HttpUtil.isTransferEncodingChunked(answer)) {
        headers.remove(HttpHeaderNames.CONTENT_LENGTH); // RFC 9112, 6.2
      } else {
        declare(headers);
      }
    }
    saysClose =
        !clientCloses
            && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
  }

  /// Takes the bytes of `part` off what is left.
  ///
  /// @return false if there are more of them than that: what is beyond is cut off a buffer, and a
  ///   file must not be sent
  public boolean takes(Object part) {
    var bytes = bytes(part);
    if (!declared || bytes <= bytesLeft) {
      bytesLeft -= declared ? bytes : 0;
      return true;
    }
    switch (part) {
      case ByteBufHolder holder -> cut(holder.content());
      case ByteBuf buffer -> cut(buffer);
      default -> {}
    }
    bytesLeft = 0;
    return false;
  }

  /// Bytes that were declared and have not come.
  public long bytesLeft() {
    return bytesLeft;
  }

  /// Whether the answer says that the connection ends behind it (RFC 9112, 9.6), and the client,
  /// who may have asked more, has not said so itself.
  public boolean saysClose() {
    return saysClose;
  }

  private void declare(HttpHeaders headers) {
    var values = headers.valueCharSequenceIterator(HttpHeaderNames.CONTENT_LENGTH);
    bytesLeft = values.hasNext() ? length(values.next()) : -1;
    declared = bytesLeft >= 0 && !values.hasNext();
    if (!declared) {
      bytesLeft = 0;
      headers.remove(HttpHeaderNames.CONTENT_LENGTH);
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
  }

  private void cut(ByteBuf buffer) {
    buffer.writerIndex(buffer.readerIndex() + (int) bytesLeft);
  }

  /// @return -1 if it is no length
  private static long length(CharSequence value) {
    try {
      return value.isEmpty() ? -1 : Long.parseLong(value, 0, value.length(), 10);
    } catch (NumberFormatException _) {
      return -1;
    }
  }

  private static long bytes(Object part) {
    return switch (part) {
      case ByteBufHolder holder -> holder.content().readableBytes();
      case ByteBuf bytes -> bytes.readableBytes();
      case FileRegion file -> file.count();
      default -> 0;
    };
  }
}
