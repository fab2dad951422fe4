package dev.roost.board.pages;

import dev.roost.server.settings.StartRefusal;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/// The files of the webroot, read once, each at an address that changes with its content, so that a
/// browser may keep it for ever. Immutable.
public final class StaticFiles {
  /// Most files, and the largest: they stay in memory.
  private static final int FILES_MAX = 64;

  private static final int FILE_BYTES_MAX = 512 * 1024;

  /// What is served, and as what. A file of another kind stops the start rather than being guessed.
  private static final Map<String, String> TYPES =
      Map.of(
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "txt", "text/plain; charset=utf-8");

  private final Map<String, StaticFile> files;

  private StaticFiles(Map<String, StaticFile> files) {
    this.files = Map.copyOf(files);
  }

  /// Reads a folder, without its subfolders and hidden files. Blocks: for a worker.
  ///
  /// @throws StartRefusal if it cannot be read, or has no `roost.css`
  public static StaticFiles read(Path folder) {
    var files = new TreeMap<String, StaticFile>();
    try (var entries = Files.list(folder)) {
      for (var path : entries.filter(Files::isRegularFile).sorted().toList()) {
        var name = path.getFileName().toString();
        if (!name.startsWith(".")) {
          files.put(name, file(path, name));
        }
      }
    } catch (IOException _) {
      throw refusal("webroot %s: is not a folder that can be read".formatted(folder));
    }
    if (!files.containsKey("roost.css") || files.size() > FILES_MAX) {
      throw refusal(
          "webroot %s: 1 to %d files are allowed, roost.css among them"
              .formatted(folder, FILES_MAX));
    }
    return new StaticFiles(files);
  }

  /// The address of a file that ships with the pages.
  String address(String name) {
    return "/static/%s/%s".formatted(find(name).orElseThrow().digest(), name);
  }

  Optional<StaticFile> find(String name) {
    return Optional.ofNullable(files.get(name));
  }

  private static StaticFile file(Path path, String name) throws IOException {
    var type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null || Files.size(path) > FILE_BYTES_MAX) {
      throw refusal(
          "webroot %s: files of up to %d KiB named %s are allowed"
              .formatted(path, FILE_BYTES_MAX / 1024, String.join(", ", TYPES.keySet())));
    }
    var bytes = Files.readAllBytes(path);
    return new StaticFile(type, digest(bytes), Buffer.buffer(bytes), Buffer.buffer(gzip(bytes)));
  }

  private static StartRefusal refusal(String message) {
    return new StartRefusal(StartRefusal.Stage.APPLICATION, message);
  }

  private static String digest(byte[] bytes) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(sha256, 0, 8);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every Java has SHA-256", impossible);
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    return packed.toByteArray();
  }

  /// @param digest start of the SHA-256 of the content, in hexadecimal
  record StaticFile(String type, String digest, Buffer plain, Buffer gzipped) {}
}
