package dev.roost.server.files;

import dev.roost.server.files.Decision.Part;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.net.RFC3986;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Serves the files of one folder to GET and HEAD, whole or in part, compressed where that lies
/// ready; passes on what is not there. The file system is asked off the event loop. Immutable.
public final class FileRoute implements Handler<RoutingContext> {

  /// Never through a link put in its place meanwhile.
  private static final Set<OpenOption> OPTIONS =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  /// A file that was replaced while it was opened is looked up again.
  private static final int ATTEMPTS = 3;

  private final Folder folder;

  /// @param folder whose files are served, and nothing besides them
  public FileRoute(Path folder) {
    this.folder = new Folder(folder.toAbsolutePath().normalize());
  }

  /// @param found what the path means
  /// @param file open, where its content may be wanted
  private record Opened(Found found, Optional<FileChannel> file) {}

  @Override
  public void handle(RoutingContext request) {
    var path = FilePath.of(rest(request));
    if (path.isEmpty()) {
      request.next();
      return;
    }
    var accept = header(request, HttpHeaders.ACCEPT_ENCODING).orElse("");
    found(request, path.get(), accept)
        .onSuccess(found -> answer(request, found))
        .onFailure(request::fail);
  }

  private Future<Opened> found(RoutingContext request, FilePath path, String accept) {
    return path.segments().isEmpty() && !request.normalizedPath().endsWith("/")
        ? Future.succeededFuture(new Opened(new Found.Folder(), Optional.empty()))
        : request
            .vertx()
            .executeBlocking(() -> open(path, accept), false)
            .map(opened -> Objects.requireNonNull(opened));
  }

  /// Vert.x has decoded it, unless the route has parameters.
  private static String rest(RoutingContext request) {
    var rest = Optional.ofNullable(request.pathParam("*")).orElse("");
    var route = request.currentRoute();
    var decoded =
        route != null && route.isRegexPath() ? RFC3986.decodeURIComponent(rest, false) : rest;
    return decoded.startsWith("/") ? decoded.substring(1) : decoded;
  }

  private Opened open(FilePath path, String accept) {
    try {
      for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
        var found = folder.find(path, accept);
        if (!(found instanceof Found.File(var file))) {
          return new Opened(found, Optional.empty());
        }
        var content = FileChannel.open(file.path(), OPTIONS);
        if (file.isCurrent()) {
          return new Opened(found, Optional.of(content));
        }
        content.close();
      }
      throw new IOException("%s changes while it is opened".formatted(path));
    } catch (AccessDeniedException _) {
      return new Opened(new Found.Forbidden(), Optional.empty());
    } catch (NoSuchFileException _) {
      return new Opened(new Found.Nothing(), Optional.empty());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure); // the server's own, and not of the client's socket
    }
  }

  private static void answer(RoutingContext request, Opened opened) {
    switch (opened.found()) {
      case Found.Nothing() -> request.next();
      case Found.Forbidden() -> request.fail(403);
      case Found.Folder() -> redirect(request);
      case Found.File(var file) -> {
        var content = opened.file().orElseThrow();
        if (request.response().closed()) {
          Sending.close(request.vertx(), content); // its client is gone
        } else {
          answer(request, file, content);
        }
      }
    }
  }

  /// The links in a folder's index start at the folder.
  private static void redirect(RoutingContext request) {
    var query = request.request().query();
    request
        .response()
        .setStatusCode(301)
        .putHeader(
            HttpHeaders.LOCATION,
            request.normalizedPath() + "/" + (query == null ? "" : "?" + query));
    request.end(); // a failure here means that the client is gone
  }

  private static void answer(RoutingContext request, Representation file, FileChannel content) {
    describe(request.response(), file);
    var isGet = request.request().method().equals(HttpMethod.GET);
    switch (new Conditions(request.request().headers(), file, isGet).decide()) {
      case Decision.Whole() -> send(request, file, content, new Part(0, file.bytes() - 1));
      case Decision.Part part -> {
        request
            .response()
            .setStatusCode(206)
            .putHeader(HttpHeaders.CONTENT_RANGE, part.of(file.bytes()));
        send(request, file, content, part);
      }
      case Decision.NotModified() -> {
        Sending.close(request.vertx(), content);
        request.response().setStatusCode(304);
        request.end(); // a failure here means that the client is gone
      }
      case Decision.Changed() -> refuse(request, content, 412);
      case Decision.Unsatisfiable() -> {
        request.response().putHeader(HttpHeaders.CONTENT_RANGE, "bytes */" + file.bytes());
        refuse(request, content, 416);
      }
    }
  }

  /// What every answer with or about a file says. Browsers ask again each time, which 304 answers,
  /// unless a filter has said how long to keep it.
  private static void describe(HttpServerResponse response, Representation file) {
    response
        .putHeader(HttpHeaders.ETAG, file.tag())
        .putHeader(HttpHeaders.LAST_MODIFIED, file.date())
        .putHeader(HttpHeaders.ACCEPT_RANGES, "bytes");
    if (!response.headers().contains(HttpHeaders.CACHE_CONTROL)) {
      response.putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
    }
    if (file.varies()) {
      response.headers().add(HttpHeaders.VARY, "Accept-Encoding");
    }
  }

  private static void refuse(RoutingContext request, FileChannel content, int status) {
    Sending.close(request.vertx(), content);
    request.fail(status);
  }

  private static void send(
      RoutingContext request, Representation file, FileChannel content, Part part) {
    var response = request.response();
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, file.type())
        .putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(part.bytes()));
    file.encoding().ifPresent(e -> response.putHeader(HttpHeaders.CONTENT_ENCODING, e.coding()));
    if (part.bytes() == 0 || request.request().method().equals(HttpMethod.HEAD)) {
      Sending.close(request.vertx(), content);
      request.end(); // a failure here means that the client is gone
    } else {
      new Sending(request, content, part).start();
    }
  }

  private static Optional<String> header(RoutingContext request, CharSequence name) {
    return Optional.ofNullable(request.request().getHeader(name));
  }
}
