package dev.roost.launcher.cli;

import dev.roost.launcher.config.Home;
import dev.roost.launcher.deploy.Launch;
import dev.roost.launcher.shutdown.StopSignal;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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

  @Mixin private SettingOptions settings = new SettingOptions();

  @Override
  public Integer call() {
    var stop = StopSignal.listen(line -> LOG.log(Level.INFO, line));
    var home = Home.find();
    var configuration = settings.read(home);
    configuration.shortfalls().forEach(RunCommand::warn);
    var plan =
        new Launch.Plan(verticle, configuration.settings(), home, RunCommand::warn, stop::hasCome);
    try (var launch = Launch.start(plan)) {
      System.out.printf("%s · ready in %d ms%n", launch.line(), millisSinceStart());
      stop.await();
    } catch (Launch.Stopped _) {
      return ExitCode.OK.number(); // what had started by then is closed again
    }
    return ExitCode.OK.number();
  }

  private static void warn(String line) {
    LOG.log(Level.WARNING, line);
  }

  private static long millisSinceStart() {
    return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
  }
}
