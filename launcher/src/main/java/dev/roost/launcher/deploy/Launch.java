package dev.roost.launcher.deploy;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Home;
import dev.roost.launcher.config.Settings;
import dev.roost.launcher.deploy.Target.Place;
import dev.roost.launcher.deploy.Target.Plain;
import dev.roost.launcher.deploy.Target.Routed;
import dev.roost.launcher.deploy.Target.Surroundings;
import dev.roost.launcher.shutdown.Stop;
import dev.roost.launcher.transport.Carrier;
import dev.roost.server.Platform;
import dev.roost.server.Roost;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.StartRefusal;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// One run of `vertx run`, from its settings to its last closed port. Confined to the thread that
/// starts and closes it, which waits.
public final class Launch implements AutoCloseable {
  /// Migrations of a large database are the slowest thing a start may have to wait for.
  private static final Duration START_TIMEOUT = Duration.ofMinutes(10);

  /// What closing takes beyond the pauses that were asked for: the database's checkpoint.
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final Plan plan;
  private final Ending ending;
  private String line = "";

  private Launch(Plan plan) {
    this.plan = plan;
    this.ending = new Ending(closeTimeout(plan.settings()));
  }

  /// What to run.
  ///
  /// @param verticle a built-in, a script, or a class
  /// @param warnings takes lines that a person should read and that stop nothing
  /// @param stop how it is asked to end; looked at between the stages of the start
  /// @param inheritance of a worker process; empty where there is no supervisor
  public record Plan(
      String verticle,
      Settings settings,
      Home home,
      Consumer<String> warnings,
      Stop stop,
      Optional<Inheritance> inheritance) {
    /// The same in a worker process.
    public Plan inheriting(Inheritance inheritance) {
      return new Plan(verticle, settings, home, warnings, stop, Optional.of(inheritance));
    }
  }

  /// The start was broken off because somebody wanted it to end.
  public static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Stopped() {
      super("stopped during the start", null, false, false);
    }
  }

  /// Starts it, all or nothing: if a stage fails, what was started before is closed again.
  ///
  /// @throws StartRefusal where the operator can mend it, or where the application failed
  /// @throws Stopped if it was asked to end before it was ready
  public static Launch start(Plan plan) {
    var launch = new Launch(plan);
    try {
      launch.run(Targets.named(plan.verticle(), plan.home()));
      return launch;
    } catch (RuntimeException | Error failure) {
      launch.closeAfter(failure);
      throw failure;
    }
  }

  /// What runs where, on which transport, with how many instances; without the time it took.
  public String line() {
    return line;
  }

  /// Stops it: not ready, pre-stop pause, drain, the application, Vert.x, the lock.
  ///
  /// @throws IllegalStateException if that takes longer than it may; what is left is left
  @Override
  public void close() {
    ending.run();
  }

  private void run(Target target) {
    switch (target) {
      case Routed routed -> serve(routed);
      case Plain plain -> deploy(plain);
    }
  }

  private void serve(Routed target) {
    var settings = plan.settings();
    var folder = plan.inheritance().isEmpty() ? ground() : settings.value(Catalogue.DATA_DIR);
    var server = inheriting(ServerValues.of(settings, CertificateFiles.of(settings, folder)));
    var carrier = carrier();
    var platform = platform(carrier);
    var surroundings = new Surroundings(platform.vertx(), settings, plan.home(), folder, place());
    goOn();
    var opened = started(target, target.opener().open(surroundings));
    ending.add(() -> ending.await(opened.close().get()));
    goOn();
    var roost = started(target, Roost.start(platform, opened.routes(), server));
    ending.add(() -> ending.await(roost.close()));
    goOn();
    if (plan.inheritance().isEmpty()) {
      roost.onDrain(() -> plan.stop().ask("POST /drain"));
      var listen = server.listen().on(roost.port(), roost.managementPort());
      line =
          new StartLine(listen, carrier.name(), 1, server.reactor().instances())
              .text(target.name());
    }
  }

  private Place place() {
    return plan.inheritance()
        .map(from -> from.first() ? Place.FIRST : Place.OTHER)
        .orElse(Place.ALONE);
  }

  private Path ground() {
    var ground = Ground.take(plan.settings());
    ending.add(ground::close);
    return ground.folder();
  }

  private ServerSettings inheriting(ServerSettings server) {
    return plan.inheritance()
        .map(from -> server.with(server.listen().inheriting(from.port().port())))
        .orElse(server);
  }

  private void deploy(Plain target) {
    if (plan.inheritance().isPresent()) {
      throw new StartRefusal(
          StartRefusal.Stage.APPLICATION,
          "%s: a verticle opens its own ports, which processes cannot share; processes: 1 runs it"
              .formatted(target.name()));
    }
    var carrier = carrier();
    var platform = platform(carrier);
    // a verticle with timers or ports of its own is only multiplied if somebody said so
    int instances =
        plan.settings().setting(Catalogue.INSTANCES).isBuiltIn()
            ? 1
            : plan.settings().value(Catalogue.INSTANCES);
    var options = new DeploymentOptions().setInstances(instances);
    started(target, platform.vertx().deployVerticle(target.verticle(), options));
    line = "%s · %s · %s".formatted(target.name(), carrier.name(), StartLine.counted(instances));
  }

  private void goOn() {
    if (plan.stop().hasCome()) {
      throw new Stopped();
    }
  }

  private Carrier carrier() {
    if (plan.inheritance().isPresent()) {
      var transport = plan.inheritance().get().port().transport();
      return new Carrier(transport.name(), transport, Optional.empty());
    }
    var carrier = Carrier.choose(plan.settings());
    carrier.warning().ifPresent(plan.warnings());
    return carrier;
  }

  private Platform platform(Carrier carrier) {
    int instances = plan.settings().value(Catalogue.INSTANCES);
    // one loop more: it answers probes while the others are busy
    var options = new VertxOptions().setEventLoopPoolSize(instances + 1);
    var platform =
        Platform.create(options, carrier.transport(), ServerValues.tracing(plan.settings()));
    ending.add(() -> ending.await(platform.close()));
    return plan.inheritance().map(from -> tied(platform, from)).orElse(platform);
  }

  private Platform tied(Platform platform, Inheritance to) {
    to.counting().accept(platform.metrics());
    ending.add(() -> to.counted().accept(platform.metrics()));
    return platform.with(to.ties().tickets(), to.ties().relay());
  }

  private void closeAfter(Throwable failure) {
    try {
      ending.run();
    } catch (RuntimeException second) {
      failure.addSuppressed(second);
    }
  }

  /// Waits for a stage of the start.
  private static <T> T started(Target target, Future<T> stage) {
    try {
      return stage
          .toCompletionStage()
          .toCompletableFuture()
          .get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof StartRefusal refusal) {
        throw refusal;
      }
      throw new FailedVerticle(target.name(), causeOf(failure));
    } catch (TimeoutException | InterruptedException failure) {
      throw new FailedVerticle(target.name(), failure);
    }
  }

  private static Throwable causeOf(ExecutionException failure) {
    return failure.getCause() == null ? failure : failure.getCause();
  }

  private static Duration closeTimeout(Settings settings) {
    return CLOSE_TIMEOUT
        .plus(settings.value(Catalogue.SHUTDOWN_PRE_STOP))
        .plus(settings.value(Catalogue.SHUTDOWN_DRAIN_TIMEOUT));
  }
}
