package dev.roost.server.tls;

import dev.roost.server.settings.TlsSettings;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Makes a new ticket key when the one that seals is old, and drops the oldest; of a server's
/// processes one does. A file goes on where the last run ended; one that is broken gives way to new
/// keys, which costs every client one full handshake. Thread-safe; its work is done on a virtual
/// thread of its own.
public final class TicketRotation implements AutoCloseable {
  private static final Logger LOG = System.getLogger(TicketRotation.class.getName());

  /// The clock may be set, and a machine sleep: it is looked at so often at least.
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final TlsSettings.Tickets settings;
  private final Consumer<TicketKeys> use;
  private final Runnable rotated;
  private final Thread thread;
  private TicketKeys keys;
  private boolean closed;

  private TicketRotation(TlsSettings.Tickets settings, Consumer<TicketKeys> use, Runnable rotated) {
    this.settings = settings;
    this.use = use;
    this.rotated = rotated;
    this.keys = settings.file().flatMap(TicketRotation::read).orElseGet(TicketRotation::fresh);
    this.thread = Thread.ofVirtual().name("roost-tickets").unstarted(this::run);
  }

  /// Reads the file, and has the keys used before it returns. Blocking.
  ///
  /// @param use takes keys of its own, at once and whenever they change
  /// @param rotated called for each new key but the first
  public static TicketRotation start(
      TlsSettings.Tickets settings, Consumer<TicketKeys> use, Runnable rotated) {
    var rotation = new TicketRotation(settings, use, rotated);
    rotation.begin();
    rotation.thread.start();
    return rotation;
  }

  /// Makes a new key now. Blocking.
  public synchronized void rotate() {
    replace(keys.rotated(Instant.now(), settings));
    rotated.run();
  }

  /// The keys in use, in a copy of the caller's own.
  public synchronized TicketKeys keys() {
    return TicketKeys.of(keys.encoded());
  }

  /// Rotates no more. The file stays.
  @Override
  public synchronized void close() {
    closed = true;
    thread.interrupt();
  }

  private synchronized void begin() {
    replace(keys.current(Instant.now(), settings));
    if (age().compareTo(settings.rotate()) >= 0) {
      rotate();
    }
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(untilLook());
        rotateIfOld();
      }
    } catch (InterruptedException _) {
      // closed
    }
  }

  private synchronized Duration untilLook() {
    var left = settings.rotate().minus(age());
    return left.isNegative() || left.compareTo(LOOK) > 0 ? LOOK : left.plusMillis(1);
  }

  private synchronized void rotateIfOld() {
    if (!closed && age().compareTo(settings.rotate()) >= 0) {
      rotate();
    }
  }

  private Duration age() {
    return Duration.between(keys.made(), Instant.now());
  }

  /// First the file: what was sealed with a key is opened with it after a restart too.
  private void replace(TicketKeys next) {
    settings.file().ifPresent(file -> write(file, next));
    var former = keys;
    keys = next;
    use.accept(TicketKeys.of(next.encoded()));
    former.wipe();
  }

  private static TicketKeys fresh() {
    return TicketKeys.fresh(Instant.now());
  }

  private static Optional<TicketKeys> read(Path file) {
    try {
      var bytes = Files.readAllBytes(file);
      var keys = TicketKeys.of(bytes);
      Arrays.fill(bytes, (byte) 0);
      return Optional.of(keys);
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException | IllegalArgumentException failure) {
      LOG.log(
          Level.WARNING,
          "{0} is of no use ({1}): new ticket keys are made",
          file,
          failure.getMessage());
      return Optional.empty();
    }
  }

  /// Written beside and moved into place, so that a crash leaves no half file; never readable by
  /// others for a moment.
  private static void write(Path file, TicketKeys keys) {
    var beside = file.resolveSibling(file.getFileName() + ".new");
    var bytes = keys.encoded();
    try {
      Files.deleteIfExists(beside);
      var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
      var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      try (var channel = FileChannel.open(beside, options, mode)) {
        for (var left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) {
          channel.write(left);
        }
        channel.force(true);
      }
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      LOG.log(
          Level.WARNING,
          "{0} cannot be written ({1}): after a restart every client shakes hands in full",
          file,
          failure.toString());
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }
}
