package dev.roost.server.body;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The files of one `multipart/form-data` body: each goes to the disk as it comes. Confined to the
/// request's event loop.
final class Form {

  /// Bytes that may follow the closing boundary: nothing but an empty line is usual.
  private static final int EPILOGUE_BYTES_MAX = 1 << 10;

  private final RoutingContext request;
  private final Path folder;
  private final String end;
  private final Reading reading;
  private final List<UploadedFile> files = new ArrayList<>();
  private Buffer tail = Buffer.buffer();
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
    this.end = "--" + boundary + "--";
    this.reading = reading;
  }

  /// Called before the body is read.
  void expect() {
    request.request().uploadHandler(this::begin);
  }

  /// A piece of the body has been decoded.
  void passed(Buffer piece) {
    var length = end.length() + EPILOGUE_BYTES_MAX;
    tail = piece.length() >= length ? piece : tail.appendBuffer(piece);
    if (tail.length() > length) {
      tail = tail.getBuffer(tail.length() - length, tail.length());
    }
  }

  /// Called when the body has ended.
  ///
  /// @return completes when every file can be read; fails with [BrokenForm] if the form is not
  ///   whole
  Future<Void> stored() {
    var whole = files.stream().allMatch(UploadedFile::isWhole);
    if (!whole || !tail.toString(ISO_8859_1).contains(end)) {
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
