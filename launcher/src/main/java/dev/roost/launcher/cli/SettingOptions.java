package dev.roost.launcher.cli;

import dev.roost.launcher.config.Assignment;
import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Home;
import dev.roost.launcher.config.Source;
import dev.roost.launcher.profile.Configuration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Options that set something, common to `run` and `config`. Filled by picocli, then read once.
final class SettingOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--conf",
      paramLabel = "FILE",
      description = "Settings file; without it conf/roost.yaml of the installation.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "Values and JVM options for what nobody set: default, performance, lowmem, lowlat.")
  private Optional<String> profile = Optional.empty();

  @Option(
      names = "--instances",
      paramLabel = "N",
      description = "Event loops that serve; auto is one per core.")
  private Optional<String> instances = Optional.empty();

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "Worker processes; above 1 a supervisor replaces them and restarts them.")
  private Optional<String> processes = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Sets any key of the settings file; may be repeated, the last one holds.")
  private List<String> set = new ArrayList<>();

  /// @throws dev.roost.server.settings.StartRefusal if any place sets what is not allowed
  Configuration read(Home home) {
    return Configuration.read(new Configuration.Places(home, file, System.getenv(), options()));
  }

  /// `--set` first, so that an option with a name of its own holds.
  private List<Assignment> options() {
    var options = new ArrayList<Assignment>();
    set.forEach(text -> options.add(assignment(text)));
    profile.ifPresent(
        name ->
            options.add(
                new Assignment(Catalogue.PROFILE.name(), name, Source.option("--profile"))));
    instances.ifPresent(
        count ->
            options.add(
                new Assignment(Catalogue.INSTANCES.name(), count, Source.option("--instances"))));
    processes.ifPresent(
        count ->
            options.add(
                new Assignment(Catalogue.PROCESSES.name(), count, Source.option("--processes"))));
    return options;
  }

  private Assignment assignment(String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new ParameterException(command.commandLine(), "--set " + text + ": KEY=VALUE expected");
    }
    return new Assignment(
        text.substring(0, equals), text.substring(equals + 1), Source.option("--set"));
  }
}
