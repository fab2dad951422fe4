package dev.roost.server.http;

import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.StaticHandler;
import java.nio.file.Path;

/// Serves the files of one folder: ranges, conditional requests, content types; no listing, nothing
/// hidden, nothing outside the folder.
final class FolderFiles {

  private FolderFiles() {}

  static Handler<RoutingContext> under(Path folder) {
    return StaticHandler.create(
            FileSystemAccess.ROOT, folder.toAbsolutePath().normalize().toString())
        .setDirectoryListing(false)
        .setIncludeHidden(false)
        .setFilesReadOnly(false)
        .setCachingEnabled(true);
  }
}
