package dev.roost.launcher.process;

import dev.roost.server.exposition.Exposition;
import dev.roost.server.link.Frame;
import dev.roost.server.link.FrameKind;
import dev.roost.server.link.Link;
import dev.roost.server.link.LinkServer;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.FileDescriptor;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// One worker process, as the supervisor sees it. Confined to the supervisor's loop.
final class Worker implements LinkServer.Guest {

  /// Pages asked for and not answered; one that answers none is asked no more.
  private static final int SCRAPES_MAX = 8;

  /// What its process reports of a signal is that and its number.
  private static final int SIGNALLED = 128;

  private final Process process;
  private final FileDescriptor socket;
  private final Owner owner;
  private final Map<Long, CompletableFuture<Void>> scrapes = new HashMap<>();
  private final long startedNanos = System.nanoTime();
  private Optional<Link> link = Optional.empty();
  private Exposition counted = Exposition.of("");
  private long scrapesAsked;
  private boolean adopted;
  private boolean ready;
  private boolean wasReady;
  private boolean exited;
  private boolean linked;

  /// Called on the loop.
  interface Owner {
    /// It accepts connections.
    void ready(Worker worker);

    /// What it shares with the others.
    Common common();

    /// Its process has ended, and nothing of it is to come any more. Once, and last.
    void gone(Worker worker);
  }

  Worker(EventLoop loop, Process process, FileDescriptor socket, Owner owner) {
    this.process = process;
    this.socket = socket;
    this.owner = owner;
    var _ = process.onExit().thenAcceptAsync(_ -> exited(), loop);
  }

  /// How a process ended, for people.
  static String ending(int exitCode) {
    return exitCode > SIGNALLED
        ? "signal %d".formatted(exitCode - SIGNALLED)
        : "exit code %d".formatted(exitCode);
  }

  long pid() {
    return process.pid();
  }

  boolean isReady() {
    return ready;
  }

  /// Whether it has accepted connections, even if it has ended by now.
  boolean wasReady() {
    return wasReady;
  }

  /// Of a process that has ended.
  int exitCode() {
    return process.exitValue();
  }

  Duration age() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }

  /// What it counted when it was last asked.
  Exposition counted() {
    return counted;
  }

  /// Messages it did not get, since it took too few.
  long dropped() {
    return link.map(Link::dropped).orElse(0L);
  }

  /// Asks what it has counted.
  ///
  /// @return completes when it has answered or ended
  CompletableFuture<Void> scrape() {
    if (!adopted || exited || scrapes.size() >= SCRAPES_MAX) {
      return CompletableFuture.completedFuture(null);
    }
    var number = ++scrapesAsked;
    var answered = new CompletableFuture<Void>();
    scrapes.put(number, answered);
    send(new Frame(FrameKind.SCRAPE, Buffer.buffer().appendLong(number)));
    return answered;
  }

  /// Another one accepts on its socket: it accepts no more, and ends when it has served its own.
  void retire() {
    end(FrameKind.RETIRE);
  }

  /// An orderly end; of one that is still starting, as soon as it can.
  void stop() {
    end(FrameKind.STOP);
  }

  void kill() {
    process.destroyForcibly();
  }

  @Override
  public FileDescriptor socket() {
    return socket;
  }

  @Override
  public void came(Link to) {
    link = Optional.of(to);
    linked = true;
  }

  @Override
  public void received(Frame frame) {
    switch (frame.kind()) {
      case ADOPTED -> adopt();
      case READY -> {
        ready = true;
        wasReady = true;
        owner.ready(this);
      }
      case METRICS -> counted(frame.body());
      case JOIN, PUBLISH, BROADCAST -> link.ifPresent(from -> owner.common().said(from, frame));
      case SCRAPE, RETIRE, STOP, TICKET_KEYS, TOPICS, MESSAGE, GONE, ORDERED, LOST ->
          kill(); // it is not for a worker to say that
    }
  }

  @Override
  public void drained() {
    link.ifPresent(owner.common()::drained);
  }

  @Override
  public void closed() {
    linked = false;
    link.ifPresent(owner.common()::left);
    goIfEnded();
  }

  private void adopt() {
    adopted = true;
    link.ifPresent(owner.common()::came);
  }

  private void end(FrameKind how) {
    if (ready) {
      send(Frame.of(how));
    } else {
      process.destroy();
    }
  }

  private void send(Frame frame) {
    if (link.isPresent() && !link.get().send(frame)) {
      kill(); // it has not taken 16 MiB
    }
  }

  private void counted(Buffer body) {
    counted = Exposition.of(body.getString(Long.BYTES, body.length()));
    var asked = scrapes.remove(body.getLong(0));
    if (asked != null) {
      asked.complete(null);
    }
  }

  private void exited() {
    exited = true;
    goIfEnded();
  }

  /// Its last message may be read after its process has ended.
  private void goIfEnded() {
    if (exited && !linked) {
      ready = false;
      scrapes.values().forEach(asked -> asked.complete(null));
      scrapes.clear();
      owner.gone(this);
    }
  }
}
