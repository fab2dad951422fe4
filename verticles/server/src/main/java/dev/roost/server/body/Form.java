package dev.roost.server.body;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The files of one `multipart/form-data` body: each goes to the disk as it comes. Confined to the
/// request's event loop.
final class Form {

  private final RoutingContext request;
  private final Path folder;
  private final ByteBuf end;
  private final Reading reading;
  private final List<UploadedFile> files = new ArrayList<>();

  /// What was decoded last and may be the beginning of the closing boundary, which stands on a line
  /// of its own.
  private Buffer tail = Buffer.buffer("\n");

  private boolean closed;
  private boolean discarded;

  /// What the files do to the reading of the body.
  interface Reading {

    /// A file takes no more for now. Called once before each [#faster].
    void slower();

    /// A file takes more again.
    void faster();

    /// So many bytes of a file are held no longer.
    void written(int fileBytes);

    /// A file cannot be written.
    void broken(Throwable failure);
  }

  /// @param folder for the files
  /// @param boundary between the parts
  Form(RoutingContext request, Path folder, String boundary, Reading reading) {
    this.request = request;
    this.folder = folder;
    this.end = Unpooled.copiedBuffer("\n--" + boundary + "--", ISO_8859_1);
    this.reading = reading;
  }

  /// Called before the body is read.
  void expect() {
    request.request().uploadHandler(this::begin);
  }

  /// A piece of the body has been decoded. What follows the closing boundary is ignored, as RFC
  /// 2046, 5.1.1 has it.
  void passed(Buffer piece) {
    if (closed) {
      return;
    }
    var seam = Buffer.buffer().appendBuffer(tail).appendBuffer(first(piece));
    closed = holdsEnd(seam) || holdsEnd(piece);
    var seen = piece.length() < end.readableBytes() ? seam : piece;
    tail = seen.getBuffer(Math.max(0, seen.length() - end.readableBytes() + 1), seen.length());
  }

  /// Called when the body has ended.
  ///
  /// @return completes when every file can be read; fails with [BrokenForm] if the form is not
  ///   whole
  Future<Void> stored() {
    var whole = files.stream().allMatch(UploadedFile::isWhole);
    if (!whole || !closed) {
      return Future.failedFuture(BrokenForm.unfinished());
    }
    return Future.all(files.stream().map(UploadedFile::stored).toList()).mapEmpty();
  }

  /// Deletes the files, whether they are whole or not.
  void discard() {
    discarded = true;
    tail = Buffer.buffer();
    files.forEach(UploadedFile::discard);
  }

  private Buffer first(Buffer piece) {
    return piece.slice(0, Math.min(piece.length(), end.readableBytes()));
  }

  private boolean holdsEnd(Buffer bytes) {
    return ByteBufUtil.indexOf(end, ((BufferInternal) bytes).getByteBuf()) >= 0;
  }

  private void begin(HttpServerFileUpload part) {
    if (discarded) {
      return;
    }
    var path = folder.resolve(UUID.randomUUID().toString());
    var file = new UploadedFile(part, request.vertx().fileSystem(), path, reading);
    files.add(file);
    request.fileUploads().add(file);
    file.store();
  }
}
