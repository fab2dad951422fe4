package dev.roost.launcher.cli;

import dev.roost.launcher.config.Home;
import dev.roost.launcher.config.Setting;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `vertx config`: every value and where it came from. The output is a settings file itself.
@Command(
    name = "config",
    description = "Prints every setting and where it came from, as a settings file.",
    sortOptions = false)
final class ConfigCommand implements Callable<Integer> {
  @Mixin private SettingOptions settings = new SettingOptions();

  @Override
  public Integer call() {
    var configuration = settings.read(Home.find());
    configuration.shortfalls().forEach(line -> System.out.println("# " + line));
    configuration.settings().all().forEach(setting -> System.out.println(line(setting)));
    return ExitCode.OK.number();
  }

  private static String line(Setting setting) {
    var assignment = "%s: %s".formatted(setting.key().name(), quoted(setting.text()));
    return "%-36s # %s".formatted(assignment, setting.source());
  }

  /// Text that YAML could take for something else is quoted, by YAML's rules for double quotes.
  private static String quoted(String text) {
    return text.matches("[A-Za-z0-9/][A-Za-z0-9/._-]*")
        ? text
        : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
