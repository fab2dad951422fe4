package dev.roost.launcher.cli;

import picocli.CommandLine.Option;

/// Options of every command. Filled by picocli.
final class CommonOptions {
  @Option(names = "--debug", description = "Shows stack traces.")
  private boolean debug;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Shows this help.")
  private boolean help;
}
