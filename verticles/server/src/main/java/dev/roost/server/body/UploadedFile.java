package dev.roost.server.body;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.FileSystem;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.ext.web.FileUpload;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One file of a form. While the disk is slower than the client, nothing more is read from the
/// client. Confined to the request's event loop, but for what a handler asks of it.
final class UploadedFile implements FileUpload {

  private final HttpServerFileUpload part;
  private final FileSystem disk;
  private final String path;
  private final Form.Reading reading;
  private final Promise<Void> stored = Promise.promise();
  private Buffer early = Buffer.buffer();
  private @Nullable AsyncFile file;
  private @Nullable Future<Void> closed;
  private long bytes;
  private boolean discarded;
  private boolean whole;
  private boolean slow;

  UploadedFile(HttpServerFileUpload part, FileSystem disk, Path path, Form.Reading reading) {
    this.part = part;
    this.disk = disk;
    this.path = path.toString();
    this.reading = reading;
  }

  /// Makes the file, and writes what comes.
  void store() {
    part.handler(this::received).endHandler(_ -> ended());
    reading.slower();
    disk.open(path, new OpenOptions().setCreateNew(true).setRead(false))
        .onSuccess(this::opened)
        .onFailure(this::broken)
        .onComplete(_ -> reading.faster());
  }

  /// Whether all of it has come.
  boolean isWhole() {
    return whole;
  }

  /// Completes when all of it can be read from the disk.
  Future<Void> stored() {
    return stored.future();
  }

  /// Deletes it, now or when it is closed.
  void discard() {
    if (!discarded) {
      discarded = true;
      if (file != null) {
        close(file).onComplete(_ -> delete());
      }
    }
  }

  @Override
  public String name() {
    return part.name();
  }

  @Override
  public String uploadedFileName() {
    return path;
  }

  @Override
  public String fileName() {
    return part.filename();
  }

  @Override
  public long size() {
    return bytes;
  }

  @Override
  public String contentType() {
    return part.contentType();
  }

  @Override
  public String contentTransferEncoding() {
    return part.contentTransferEncoding();
  }

  @Override
  public String charSet() {
    return part.charset();
  }

  /// Handlers run when it is stored, and too late for this.
  @Override
  public boolean cancel() {
    return false;
  }

  /// Fails where the handler has moved it.
  @Override
  public Future<Void> delete() {
    return disk.delete(path);
  }

  private void received(Buffer piece) {
    if (discarded) {
      return;
    }
    bytes += piece.length();
    if (file == null) {
      early.appendBuffer(piece);
    } else {
      write(file, piece);
    }
  }

  private void ended() {
    whole = true;
    if (file != null) {
      close(file).onComplete(stored);
    }
  }

  private void opened(AsyncFile made) {
    file = made;
    if (discarded) {
      close(made).onComplete(_ -> delete());
      return;
    }
    if (early.length() > 0) {
      write(made, early);
      early = Buffer.buffer();
    }
    if (whole) {
      close(made).onComplete(stored);
    }
  }

  private void write(AsyncFile to, Buffer piece) {
    to.write(piece).onSuccess(_ -> reading.written(piece.length())).onFailure(this::broken);
    if (to.writeQueueFull() && !slow) {
      slow = true;
      reading.slower();
      to.drainHandler(_ -> drained());
    }
  }

  private void drained() {
    if (slow) {
      slow = false;
      reading.faster();
    }
  }

  private Future<Void> close(AsyncFile open) {
    if (closed == null) {
      closed = open.close();
    }
    return closed;
  }

  private void broken(Throwable failure) {
    if (!discarded) {
      stored.tryFail(failure);
      reading.broken(failure);
    }
  }
}
