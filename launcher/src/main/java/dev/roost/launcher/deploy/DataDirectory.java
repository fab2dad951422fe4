package dev.roost.launcher.deploy;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Setting;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/// The folder `data.dir`, held by this process alone: made with mode 0700, locked until closed. The
/// lock is the kernel's, so that it ends with the process however that ends.
final class DataDirectory implements AutoCloseable {
  private static final String LOCK = "lock";

  private final Path folder;
  private final FileChannel lock;

  private DataDirectory(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /// @param setting the key `data.dir`
  /// @throws StartRefusal if the folder cannot be made or written, or another process holds it
  static DataDirectory open(Path folder, Setting setting) {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return new DataDirectory(folder, lock(folder, setting));
    } catch (FileAlreadyExistsException _) {
      throw refusal("%s is not a folder".formatted(folder), setting);
    } catch (IOException failure) {
      throw refusal("%s cannot be used: %s".formatted(folder, reason(failure)), setting);
    }
  }

  Path folder() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    lock.truncate(0);
    lock.close();
  }

  private static FileChannel lock(Path folder, Setting setting) throws IOException {
    var file = folder.resolve(LOCK);
    var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!isOurs(channel)) {
      channel.close();
      throw refusal("%s is in use by process %s".formatted(folder, holder(file)), setting);
    }
    var pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
    channel.truncate(0).write(ByteBuffer.wrap(pid));
    return channel;
  }

  private static boolean isOurs(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false; // held by this very process
    }
  }

  private static String holder(Path file) throws IOException {
    var pid = Files.readString(file).strip();
    return pid.isEmpty() ? "unknown" : pid;
  }

  private static String reason(IOException failure) {
    return switch (failure) {
      case AccessDeniedException denied -> "no permission to write " + denied.getFile();
      case NoSuchFileException missing -> missing.getFile() + " does not exist";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> String.valueOf(failure.getMessage());
    };
  }

  private static StartRefusal refusal(String what, Setting setting) {
    return new StartRefusal(
        Stage.DATABASE, "%s: %s (%s)".formatted(Catalogue.DATA_DIR.name(), what, setting.source()));
  }
}
