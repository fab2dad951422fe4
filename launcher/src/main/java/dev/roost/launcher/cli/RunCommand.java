package dev.roost.launcher.cli;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Home;
import dev.roost.launcher.deploy.Launch;
import dev.roost.launcher.process.Supervisor;
import dev.roost.launcher.shutdown.StopSignal;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `vertx run`: starts, says so in one line, waits for a signal, stops.
@Command(
    name = "run",
    description = "Runs a verticle until SIGTERM or SIGINT.",
    sortOptions = false)
final class RunCommand implements Callable<Integer> {
  private static final System.Logger LOG = System.getLogger("roost");

  @Parameters(
      paramLabel = "VERTICLE",
      description = {
        "board: the board and blog. hello: a sample of every kind of route.",
        "hello.js: a script that says its routes.",
        "com.example.Shop: a class on the class path (CLASSPATH adds yours). A RouteSet is served"
            + " on the HTTPS port; any other verticle opens its own ports, and is deployed once"
            + " unless instances is set."
      })
  private String verticle = "";

  @Spec private CommandSpec command = CommandSpec.create();

  @Mixin private SettingOptions settings = new SettingOptions();

  @Override
  public Integer call() {
    var stop = StopSignal.listen(line -> LOG.log(Level.INFO, line));
    var home = Home.find();
    var configuration = settings.read(home);
    configuration.shortfalls().forEach(RunCommand::warn);
    var holds = configuration.settings();
    try {
      if (holds.value(Catalogue.PROCESSES) == 1) {
        serve(
            new Launch.Plan(verticle, holds, home, RunCommand::warn, stop, Optional.empty()), stop);
      } else {
        supervise(new Supervisor.Plan(verticle, arguments(), holds, home, stop), stop);
      }
    } catch (Launch.Stopped _) {
      return ExitCode.OK.number(); // what had started by then is closed again
    }
    return ExitCode.OK.number();
  }

  private static void serve(Launch.Plan plan, StopSignal stop) {
    try (var launch = Launch.start(plan)) {
      ready(launch.line());
      stop.await();
    }
  }

  private static void supervise(Supervisor.Plan plan, StopSignal stop) {
    try (var supervisor = Supervisor.start(plan)) {
      ready(supervisor.line());
      stop.await();
    }
  }

  /// The whole command line, `run` first.
  private List<String> arguments() {
    var all = command.root().commandLine().getParseResult().originalArgs();
    return all.subList(all.indexOf(command.name()), all.size());
  }

  private static void ready(String line) {
    System.out.printf("%s · ready in %d ms%n", line, millisSinceStart());
  }

  private static void warn(String line) {
    LOG.log(Level.WARNING, line);
  }

  private static long millisSinceStart() {
    return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
  }
}
