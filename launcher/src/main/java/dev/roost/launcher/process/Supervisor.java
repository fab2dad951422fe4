package dev.roost.launcher.process;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Home;
import dev.roost.launcher.config.Settings;
import dev.roost.launcher.deploy.Ending;
import dev.roost.launcher.deploy.Ground;
import dev.roost.launcher.deploy.Launch;
import dev.roost.launcher.deploy.StartLine;
import dev.roost.launcher.shutdown.Stop;
import dev.roost.launcher.transport.Carrier;
import dev.roost.server.health.Health;
import dev.roost.server.health.ManagementVerticle;
import dev.roost.server.link.Link;
import dev.roost.server.link.LinkServer;
import dev.roost.server.listen.SharedPort;
import dev.roost.server.relay.RelayHub;
import dev.roost.server.settings.ListenSettings;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import dev.roost.server.tls.TicketRotation;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/// One run of several worker processes, from the settings to the last process that ends. Confined
/// to the thread that starts and closes it, which waits.
public final class Supervisor implements AutoCloseable {

  /// What a worker's end takes beyond its drain, before it is killed: it gives up itself before.
  private static final Duration END_TIMEOUT = Duration.ofSeconds(40);

  /// Longest path of a unix socket (unix(7): 108 with its end; Netty takes 100).
  private static final int PATH_BYTES_MAX = 100;

  /// Vert.x's own check for blocked threads: this one only answers probes.
  private static final Duration NEVER = Duration.ofDays(10_000);

  /// Which part of its heap the topics' histories may fill.
  private static final int HISTORY_SHARE = 4;

  private final Plan plan;
  private final Ending ending;
  private final Health health = new Health();
  private String line = "";

  private Supervisor(Plan plan) {
    this.plan = plan;
    this.ending = new Ending(endTimeout(plan.settings()).plus(preStop()).plusSeconds(5));
  }

  /// What to run.
  ///
  /// @param verticle a built-in, a script, or a class
  /// @param arguments the command line, `run` first
  /// @param stop looked at until all workers are ready
  public record Plan(
      String verticle, List<String> arguments, Settings settings, Home home, Stop stop) {}

  /// Starts the workers, all or nothing.
  ///
  /// @throws StartRefusal where the operator can mend it
  /// @throws FailedWorker if a worker did not start; it has said why
  /// @throws Launch.Stopped if it was asked to end before all were ready
  public static Supervisor start(Plan plan) {
    var supervisor = new Supervisor(plan);
    try {
      supervisor.run();
      return supervisor;
    } catch (RuntimeException | Error failure) {
      supervisor.closeAfter(failure);
      throw failure;
    }
  }

  /// What runs where, with how many processes; without the time it took.
  public String line() {
    return line;
  }

  /// Stops them: not ready, pre-stop pause, all drain side by side.
  ///
  /// @throws IllegalStateException if one had to be killed, or ended with another code than 0
  @Override
  public void close() {
    health.enter(Health.Phase.DRAINING);
    ending.run();
  }

  private void run() {
    requireEpoll();
    var settings = plan.settings();
    int workers = settings.value(Catalogue.PROCESSES);
    var ground = Ground.take(settings);
    ending.add(ground::close);
    var server = ground.prepare(settings);
    var host = server.listen().host();
    var port = port(host, workers);
    ending.add(port::close);
    var group = Link.newLoop();
    ending.add(() -> group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await());
    var link = linkFile(ground.folder());
    var common = common(server, group.next());
    var crew =
        new Crew(
            group.next(),
            new Crew.Means(
                port,
                new Recipe(plan.home().script(), plan.arguments(), pinned(host, port.port()), link),
                common),
            endTimeout(settings));
    open(link, group.next(), crew);
    int managementPort = manage(crew);
    ending.add(() -> leave(crew));
    awaitReady(crew.start(workers));
    health.enter(Health.Phase.READY);
    line =
        new StartLine(
                new ListenSettings(
                    host, port.port(), settings.value(Catalogue.MANAGEMENT_HOST), managementPort),
                "epoll",
                workers,
                instances())
            .text(plan.verticle());
    System.gc(); // gives back what only the start needed: nobody is served here, so nobody waits
  }

  private void requireEpoll() {
    var carrier = Carrier.choose(plan.settings());
    if (!carrier.name().equals("epoll")) {
      throw new StartRefusal(
          Stage.TRANSPORT,
          "transport: processes share a port on epoll only, not on %s; processes: 1 runs on it (%s)"
              .formatted(carrier.name(), plan.settings().setting(Catalogue.PROCESSES).source()));
    }
  }

  private SharedPort port(String host, int workers) {
    int port = plan.settings().value(Catalogue.SERVER_PORT);
    var address = new InetSocketAddress(host, port);
    var shown = new ListenSettings(host, port, host, 0).address();
    if (address.isUnresolved()) {
      throw StartRefusal.ofBind("server.port", shown, new IOException("no such host"));
    }
    try {
      return SharedPort.open(address, workers);
    } catch (IOException failure) {
      throw StartRefusal.ofBind("server.port", shown, failure);
    }
  }

  private Common common(ServerSettings server, EventLoop loop) {
    var historyBytesMax = Runtime.getRuntime().maxMemory() / HISTORY_SHARE;
    var common = new Common(new RelayHub(server.streams().topics(), historyBytesMax));
    var rotation =
        TicketRotation.start(
            server.tls().tickets(),
            keys -> loop.execute(() -> common.use(keys)),
            () -> loop.execute(common::rotated));
    ending.add(rotation::close);
    return common;
  }

  /// In the data directory, unless its path is too long for the kernel.
  private Path linkFile(Path folder) {
    var file = folder.toAbsolutePath().resolve("workers.socket");
    if (file.toString().getBytes(StandardCharsets.UTF_8).length <= PATH_BYTES_MAX) {
      return file;
    }
    try {
      var made = Files.createTempDirectory("roost"); // with mode 0700
      ending.add(() -> Files.deleteIfExists(made));
      return made.resolve("workers.socket");
    } catch (IOException failure) {
      throw noLink(failure);
    }
  }

  private void open(Path file, EventLoop loop, Crew crew) {
    try {
      var server = LinkServer.open(file, loop, crew);
      ending.add(server::close);
    } catch (IOException failure) {
      throw noLink(failure);
    }
  }

  private static StartRefusal noLink(IOException failure) {
    return new StartRefusal(
        Stage.DATABASE,
        "data.dir: no unix socket can be made for the workers: " + failure.getMessage());
  }

  /// @return the port that was taken
  private int manage(Crew crew) {
    var options =
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            .setBlockedThreadCheckInterval(NEVER.toMillis());
    var vertx = Vertx.builder().with(options).withTransport(Transport.EPOLL).build();
    ending.add(() -> ending.await(vertx.close()));
    var host = plan.settings().value(Catalogue.MANAGEMENT_HOST);
    int port = plan.settings().value(Catalogue.MANAGEMENT_PORT);
    var verticle = new ManagementVerticle(host, port, new Overseen(crew, health, plan.stop()));
    var deployed = vertx.deployVerticle(verticle).toCompletionStage().toCompletableFuture();
    try {
      deployed.join();
      return verticle.port();
    } catch (CompletionException failure) {
      var shown = new ListenSettings(host, port, host, port).managementAddress();
      throw StartRefusal.ofBind("management.port", shown, causeOf(failure));
    }
  }

  private void awaitReady(CompletableFuture<Void> ready) {
    try {
      CompletableFuture.anyOf(ready, plan.stop().asked()).join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw failure;
    }
    if (!ready.isDone()) {
      throw new Launch.Stopped();
    }
  }

  private void leave(Crew crew) throws Exception {
    var pause = health.started() ? preStop() : Duration.ZERO;
    ending.await(Future.fromCompletionStage(crew.leave(pause)));
  }

  /// What all workers must have alike, and what the supervisor does in their place.
  private List<String> pinned(String host, int port) {
    var folder = plan.settings().value(Catalogue.DATA_DIR).toAbsolutePath();
    return List.of(
        "server.host=" + host,
        "server.port=" + port,
        "data.dir=" + folder,
        "instances=" + instances(),
        "transport=epoll",
        "shutdown.pre-stop=0s");
  }

  /// `auto` shares the cores out.
  private int instances() {
    int each = plan.settings().value(Catalogue.INSTANCES);
    return plan.settings().setting(Catalogue.INSTANCES).text().equals("auto")
        ? Math.max(1, each / plan.settings().value(Catalogue.PROCESSES))
        : each;
  }

  private Duration preStop() {
    return plan.settings().value(Catalogue.SHUTDOWN_PRE_STOP);
  }

  private static Duration endTimeout(Settings settings) {
    return END_TIMEOUT.plus(settings.value(Catalogue.SHUTDOWN_DRAIN_TIMEOUT));
  }

  private static Throwable causeOf(CompletionException failure) {
    return failure.getCause() == null ? failure : failure.getCause();
  }

  private void closeAfter(Throwable failure) {
    try {
      ending.run();
    } catch (RuntimeException second) {
      failure.addSuppressed(second);
    }
  }
}
