package dev.roost.launcher.process;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.deploy.FailedVerticle;
import dev.roost.launcher.deploy.Inheritance;
import dev.roost.launcher.deploy.Launch;
import dev.roost.server.link.Arrival;
import dev.roost.server.link.Frame;
import dev.roost.server.link.FrameKind;
import dev.roost.server.link.Link;
import dev.roost.server.listen.InheritedPort;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.relay.LinkedRelay;
import dev.roost.server.tls.TicketKeys;
import dev.roost.server.tls.Tickets;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// One worker, in its own process: takes its socket, serves, and does what its supervisor says.
/// Ends when the supervisor has gone. Its start and end are confined to the main thread.
public final class WorkerProcess implements Link.Listener {
  private static final Logger LOG = System.getLogger(WorkerProcess.class.getName());

  /// The supervisor is on this machine, and waits.
  private static final long ARRIVAL_SECONDS = 30;

  /// When nobody has shaken hands for so long, those who were accepted last have sent their
  /// request.
  private static final Duration QUIET = Duration.ofSeconds(2);

  private static final Duration LOOK = Duration.ofMillis(100);

  /// 128 and SIGTERM: the supervisor has gone while this process was ending.
  private static final int AT_ONCE = 143;

  private final Launch.Plan plan;
  private final int slot;
  private final CompletableFuture<Void> orphaned = new CompletableFuture<>();
  private final CompletableFuture<Void> keyed = new CompletableFuture<>();
  private final Tickets tickets = new Tickets();
  private volatile @Nullable LinkedRelay relay;
  private volatile @Nullable ServerMetrics metrics;
  private volatile @Nullable Arrival arrival;
  private volatile boolean retired;
  private volatile boolean told;
  private volatile boolean ended;

  private WorkerProcess(Launch.Plan plan, int slot) {
    this.plan = plan;
    this.slot = slot;
  }

  /// Serves until the supervisor or a signal says to end; returns when all has ended.
  ///
  /// @param link the supervisor's unix socket
  /// @param slot its number, from 0
  /// @throws RuntimeException as [Launch#start(Launch.Plan)] does
  public static void run(Launch.Plan plan, Path link, int slot) {
    var worker = new WorkerProcess(plan, slot);
    var loop = Link.newLoop();
    var arrival = worker.arrive(Arrival.at(link, loop, worker));
    worker.arrival = arrival;
    var relay = new LinkedRelay(arrival.link());
    worker.relay = relay;
    try {
      worker.arrive(worker.keyed);
      worker.serve(arrival, relay);
    } finally {
      worker.ended = true;
      arrival.link().close().join(); // after the last figures
    }
  }

  @Override
  public void received(Frame frame) {
    switch (frame.kind()) {
      case SCRAPE -> report(frame.body().getLong(0));
      case RETIRE -> {
        retired = true;
        end("another worker takes over");
      }
      case STOP -> end("the supervisor stops");
      case TICKET_KEYS -> use(frame.body().getBytes());
      case TOPICS, MESSAGE, GONE, ORDERED, BROADCAST, LOST -> hear(frame);
      case ADOPTED, READY, METRICS, JOIN, PUBLISH ->
          LOG.log(Level.WARNING, "{0} is not for a supervisor to say", frame.kind());
    }
  }

  @Override
  public void closed() {
    orphaned.complete(null);
    keyed.completeExceptionally(new IOException("the supervisor has gone"));
    var silent = relay;
    if (silent != null) {
      silent.closed();
    }
    if (told && !ended) {
      Runtime.getRuntime().halt(AT_ONCE); // the supervisor was stopped at once, and so are we
    }
    if (!ended && !plan.stop().hasCome()) {
      LOG.log(Level.WARNING, "the supervisor has gone: ending");
      plan.stop().ask("the supervisor has gone");
    }
  }

  private void use(byte[] keys) {
    tickets.use(TicketKeys.of(keys));
    Arrays.fill(keys, (byte) 0);
    keyed.complete(null);
  }

  /// What comes before anybody can listen is about nothing that this process knows.
  private void hear(Frame frame) {
    var to = relay;
    if (to != null) {
      to.received(frame);
    }
  }

  private void serve(Arrival arrival, LinkedRelay linked) {
    var port = new InheritedPort(arrival.socket());
    var inheritance =
        new Inheritance(
            port,
            slot == 0,
            new Inheritance.Ties(tickets, linked),
            counting -> metrics = counting,
            _ -> report(0));
    try (var _ = Launch.start(plan.inheriting(inheritance))) {
      arrival.link().send(Frame.of(FrameKind.READY));
      plan.stop().asked().join();
      if (retired) {
        port.stopAccepting();
        awaitLastRequests();
      }
    }
  }

  /// Some were accepted a moment ago, and a busy machine takes its time to shake hands with them;
  /// no longer than those in flight get after that.
  private void awaitLastRequests() {
    var end = System.nanoTime() + drainTimeout().toNanos();
    var quietSince = System.nanoTime();
    var seen = handshakes();
    while (System.nanoTime() < end && System.nanoTime() - quietSince < QUIET.toNanos()) {
      if (isOrphanedAfter(LOOK)) {
        return;
      }
      if (handshakes() != seen) {
        seen = handshakes();
        quietSince = System.nanoTime();
      }
    }
  }

  private boolean isOrphanedAfter(Duration wait) {
    try {
      orphaned.get(wait.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException _) {
      return false;
    } catch (InterruptedException | ExecutionException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private long handshakes() {
    var counted = metrics;
    return counted == null ? 0 : counted.tlsHandshakes();
  }

  private Duration drainTimeout() {
    return plan.settings().value(Catalogue.SHUTDOWN_DRAIN_TIMEOUT);
  }

  private void end(String why) {
    told = true;
    plan.stop().ask(why);
  }

  /// On the link's thread, or where the server has ended.
  private void report(long number) {
    var counted = metrics;
    var to = arrival;
    if (to == null) {
      return;
    }
    var page = counted == null ? "" : counted.scrape();
    var body = Buffer.buffer().appendLong(number);
    body.appendBytes(page.getBytes(StandardCharsets.UTF_8));
    if (body.length() > Frame.BODY_BYTES_MAX) {
      LOG.log(Level.WARNING, "/metrics: {0} bytes are too many to pass on", body.length());
      return;
    }
    to.link().send(new Frame(FrameKind.METRICS, body));
  }

  private <T> T arrive(CompletableFuture<T> arriving) {
    try {
      return arriving.get(ARRIVAL_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | TimeoutException failure) {
      throw new FailedVerticle(plan.verticle(), failure);
    } catch (ExecutionException failure) {
      throw new FailedVerticle(
          plan.verticle(), failure.getCause() == null ? failure : failure.getCause());
    }
  }
}
