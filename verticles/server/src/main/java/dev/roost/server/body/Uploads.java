package dev.roost.server.body;

import dev.roost.server.settings.StartRefusal;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/// The folder for the files that forms bring along, which only this process reads: each lives as
/// long as its request. Thread-safe.
///
/// @param folder a fresh one under `java.io.tmpdir`
public record Uploads(Path folder) {

  private static final Logger LOG = System.getLogger(Uploads.class.getName());

  /// Makes the folder. Blocks.
  ///
  /// @throws StartRefusal if it cannot be made
  public static Uploads make() {
    try {
      return new Uploads(Files.createTempDirectory("roost-uploads-"));
    } catch (IOException failure) {
      throw new StartRefusal(
          StartRefusal.Stage.SETTINGS,
          "java.io.tmpdir: %s cannot hold uploaded files: %s"
              .formatted(System.getProperty("java.io.tmpdir"), failure.getMessage()));
    }
  }

  /// Deletes the folder and what is left in it. Blocks.
  public void delete() {
    try (var left = Files.list(folder)) {
      for (var file : left.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (IOException failure) {
      LOG.log(Level.WARNING, "uploaded files are left in " + folder, failure);
    }
  }
}
