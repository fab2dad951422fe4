package dev.roost.launcher.cli;

import dev.roost.launcher.config.Home;
import dev.roost.launcher.deploy.Launch;
import dev.roost.launcher.process.WorkerProcess;
import dev.roost.launcher.shutdown.StopSignal;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `vertx worker`: what a supervisor starts, with its own options and a few more.
@Command(name = "worker", hidden = true, description = "One worker of a supervisor.")
final class WorkerCommand implements Callable<Integer> {
  private static final System.Logger LOG = System.getLogger("roost");

  @Parameters(paramLabel = "VERTICLE")
  private String verticle = "";

  @Mixin private SettingOptions settings = new SettingOptions();

  @Option(names = "--link", required = true, paramLabel = "FILE")
  private Path link = Path.of("");

  @Option(names = "--slot", required = true, paramLabel = "N")
  private int slot;

  @Override
  public Integer call() {
    var stop = StopSignal.listen(line -> LOG.log(Level.DEBUG, line));
    var home = Home.find();
    var plan =
        new Launch.Plan(
            verticle,
            settings.read(home).settings(),
            home,
            WorkerCommand::warn,
            stop,
            Optional.empty());
    try {
      WorkerProcess.run(plan, link, slot);
    } catch (Launch.Stopped _) {
      return ExitCode.OK.number();
    }
    return ExitCode.OK.number();
  }

  private static void warn(String line) {
    LOG.log(Level.WARNING, line);
  }
}
