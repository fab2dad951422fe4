package dev.roost.server.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The files of one folder, looked up anew for every request: nothing is cached, so nothing is
/// stale and nothing grows. Symbolic links are followed within the folder only. Immutable; blocks.
///
/// @param path of the folder, which need not be there yet
record Folder(Path path) {

  private static final String INDEX = "index.html";

  /// Looks `wanted` up.
  ///
  /// @param accept `Accept-Encoding`, empty where there is none
  /// @throws IOException if the file system fails
  Found find(FilePath wanted, String accept) throws IOException {
    try {
      var root = path.toRealPath();
      var names = new ArrayList<>(wanted.segments());
      if (wanted.folder()) {
        names.add(INDEX);
      }
      return find(root, names, accept);
    } catch (NoSuchFileException | NotDirectoryException | InvalidPathException _) {
      return new Found.Nothing();
    } catch (AccessDeniedException _) {
      return new Found.Forbidden();
    } catch (FileSystemException failure) {
      if (isNoName(failure)) {
        return new Found.Nothing();
      }
      throw failure;
    }
  }

  private Found find(Path root, List<String> names, String accept) throws IOException {
    var path = root.resolve(String.join("/", names));
    var real = real(root, path);
    if (real.isEmpty()) {
      return new Found.Nothing();
    }
    var attributes = attributes(real.get());
    if (attributes.isDirectory()) {
      return new Found.Folder();
    }
    if (!attributes.isRegularFile()) {
      return new Found.Nothing(); // to open a pipe would wait for its writer
    }
    var type = ContentTypes.of(names.getLast());
    var plain = Representation.of(real.get(), type, attributes);
    return new Found.File(best(root, path, plain, accept));
  }

  private Representation best(Path root, Path path, Representation plain, String accept)
      throws IOException {
    var variants = variants(root, path, plain);
    for (var encoding : Encoding.accepted(accept)) {
      var variant = variants.get(encoding);
      if (variant != null) {
        return variant;
      }
    }
    return variants.isEmpty() ? plain : plain.varying();
  }

  private static Map<Encoding, Representation> variants(Path root, Path path, Representation plain)
      throws IOException {
    var variants = new EnumMap<Encoding, Representation>(Encoding.class);
    for (var encoding : Encoding.values()) {
      var beside = path.resolveSibling(path.getFileName() + encoding.suffix());
      if (!Files.isRegularFile(beside)) {
        continue;
      }
      var real = real(root, beside);
      if (real.isPresent()) {
        var other = Representation.of(real.get(), plain.type(), attributes(real.get()));
        plain.compressed(other, encoding).ifPresent(found -> variants.put(encoding, found));
      }
    }
    return variants;
  }

  /// Where a path leads, unless out of the folder or to something hidden in it.
  private static Optional<Path> real(Path root, Path path) throws IOException {
    var real = path.toRealPath();
    if (!real.startsWith(root)) {
      return Optional.empty();
    }
    for (var name : root.relativize(real)) {
      if (name.toString().startsWith(".")) {
        return Optional.empty();
      }
    }
    return Optional.of(real);
  }

  private static BasicFileAttributes attributes(Path real) throws IOException {
    return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /// Linux tells of names it cannot have (too long, below a file, a loop of links) by words only.
  private static boolean isNoName(FileSystemException failure) {
    var reason = String.valueOf(failure.getReason());
    return reason.contains("Not a directory")
        || reason.contains("name too long")
        || reason.contains("levels of symbolic links");
  }
}
