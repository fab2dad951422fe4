package dev.roost.board.posts;

import dev.roost.board.boards.MalformedYaml;
import dev.roost.server.settings.StartRefusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// A folder of Markdown files. Reading blocks and rendering takes time: for a worker.
final class PostFolder {
  /// Most files that are looked at.
  static final int FILES_MAX = 10_000;

  private final Path folder;

  PostFolder(Path folder) {
    this.folder = folder;
  }

  /// Reads what is new or changed, in the order of the names. A file that cannot be read becomes a
  /// complaint; the others are read all the same.
  ///
  /// @param known digests of files that need no second look, by name
  /// @throws StartRefusal if the folder itself cannot be read
  Reading read(Map<String, String> known) {
    var files = new ArrayList<ReadFile>();
    var complaints = new ArrayList<String>();
    var unchanged = 0;
    for (var path : paths()) {
      var name = path.getFileName().toString();
      try {
        var bytes = bytes(path);
        var digest = digest(bytes);
        if (digest.equals(known.get(name))) {
          unchanged++;
        } else {
          files.add(read(name, bytes, digest));
        }
      } catch (MalformedYaml malformed) {
        complaints.add(malformed.getMessage());
      } catch (Markdown.TooMuch tooMuch) {
        complaints.add(name + ": " + tooMuch.getMessage());
      } catch (CharacterCodingException _) {
        complaints.add(name + ": is not UTF-8 text");
      } catch (IOException unreadable) {
        complaints.add(name + ": " + unreadable.getMessage());
      }
    }
    return new Reading(files, unchanged, complaints);
  }

  private List<Path> paths() {
    try (var entries = Files.list(folder)) {
      var paths =
          entries
              .filter(path -> path.toString().endsWith(".md"))
              .filter(path -> !path.getFileName().toString().startsWith("."))
              .filter(Files::isRegularFile)
              .sorted()
              .limit(FILES_MAX + 1L)
              .toList();
      if (paths.size() <= FILES_MAX) {
        return paths;
      }
    } catch (IOException _) {
      throw refusal("is not a folder that can be read");
    }
    throw refusal("holds more than %d posts".formatted(FILES_MAX));
  }

  private StartRefusal refusal(String reason) {
    var message = "board.posts: %s %s".formatted(folder, reason);
    return new StartRefusal(StartRefusal.Stage.SETTINGS, message);
  }

  private static byte[] bytes(Path path) throws IOException {
    try (var in = Files.newInputStream(path)) {
      var bytes = in.readNBytes(Markdown.CHARS_MAX + 1);
      if (bytes.length > Markdown.CHARS_MAX) {
        throw new IOException("is larger than %d KiB".formatted(Markdown.CHARS_MAX / 1024));
      }
      return bytes;
    }
  }

  private static ReadFile read(String name, byte[] bytes, String digest)
      throws CharacterCodingException {
    var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    var post = PostFile.parse(name, text);
    return new ReadFile(post, Markdown.render(post.markdown()), digest);
  }

  private static String digest(byte[] bytes) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update((byte) Markdown.VERSION);
      return HexFormat.of().formatHex(sha256.digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every Java has SHA-256", impossible);
    }
  }

  /// @param complaints one line for each file that was left out
  record Reading(List<ReadFile> files, int unchanged, List<String> complaints) {
    Reading {
      files = List.copyOf(files);
      complaints = List.copyOf(complaints);
    }
  }
}
