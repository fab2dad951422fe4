package dev.roost.server.files;

import dev.roost.server.flow.Cut;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// One file on its way to one client: read off the event loop, piece by piece, as the client takes
/// it; at most one piece is held. Confined to the request's event loop.
final class Sending {

  private static final Logger LOG = System.getLogger(Sending.class.getName());

  /// Bytes read at once: as much as Vert.x queues for a client before it counts as slow.
  private static final int PIECE_BYTES = 64 << 10;

  /// RFC 9113, section 7: our fault, not the client's.
  private static final long INTERNAL_ERROR = 2;

  private final RoutingContext request;
  private final HttpServerResponse response;
  private final Vertx vertx;
  private final FileChannel file;
  private final long end;
  private long position;
  private boolean over;

  /// @param part what to send of it, 1 byte or more
  Sending(RoutingContext request, FileChannel file, Decision.Part part) {
    this.request = request;
    this.response = request.response();
    this.vertx = request.vertx();
    this.file = file;
    this.position = part.first();
    this.end = part.last() + 1;
  }

  /// Sends, and closes the file whatever happens.
  void start() {
    request.addEndHandler(
        _ -> {
          over = true;
          close(vertx, file);
        });
    next();
  }

  /// Closes `file` off the event loop.
  static void close(Vertx vertx, FileChannel file) {
    vertx
        .executeBlocking(
            () -> {
              file.close();
              return file;
            },
            false)
        .onFailure(failure -> LOG.log(Level.WARNING, "a file cannot be closed", failure));
  }

  private void next() {
    var length = (int) Math.min(PIECE_BYTES, end - position);
    vertx
        .executeBlocking(() -> read(position, length), false)
        .onSuccess(this::send)
        .onFailure(this::broken);
  }

  private void send(Buffer piece) {
    if (over) {
      return;
    }
    if (piece.length() == 0) {
      broken(new IOException("the file was cut short while it was sent"));
      return;
    }
    position += piece.length();
    if (position == end) {
      response.end(piece); // a failure here means that the client is gone
      return;
    }
    response.write(piece); // its failure ends the request
    if (response.writeQueueFull()) {
      response.drainHandler(_ -> next());
    } else {
      next();
    }
  }

  /// Half a file is not passed off as a whole one.
  private void broken(Throwable failure) {
    if (!over) {
      LOG.log(Level.WARNING, () -> "a file was not sent: " + request.normalizedPath(), failure);
      Cut.now(request, INTERNAL_ERROR);
    }
  }

  private Buffer read(long from, int length) throws IOException {
    var bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (file.read(bytes, from + bytes.position()) < 0) {
        break;
      }
    }
    return Buffer.buffer().appendBytes(bytes.array(), 0, bytes.position());
  }
}
