package dev.roost.launcher.cli;

import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The `vertx` command. Not vertx-launcher-application, for the reasons in docs/adr/0006.
@Command(
    name = "vertx",
    description = "Serves verticles from every core on one port.",
    subcommands = {
      RunCommand.class,
      WorkerCommand.class,
      ReloadCommand.class,
      ConfigCommand.class,
      VersionCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false)
public final class VertxCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  // Both are also options of every command below; picocli writes them, and nothing else reads them.
  @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Shows stack traces.")
  boolean debug;

  @Option(
      names = {"-h", "--help"},
      scope = ScopeType.INHERIT,
      usageHelp = true,
      description = "Shows this help.")
  boolean help;

  /// Always ends the JVM: threads that a failed start left behind cannot keep it.
  public static void main(String[] arguments) {
    int code = run(arguments);
    System.out.flush();
    System.err.flush();
    System.exit(code);
  }

  /// @return the exit code
  static int run(String... arguments) {
    boolean debug = Arrays.asList(arguments).contains("--debug");
    try {
      return commandLine(debug).execute(arguments);
    } catch (Error failure) {
      return failed(failure, debug);
    }
  }

  private static CommandLine commandLine(boolean debug) {
    var line = new CommandLine(new VertxCommand());
    line.setExpandAtFiles(false); // the script could not find a profile in them
    line.getCommandSpec().usageMessage().footer("", "Exit codes:", ExitCode.table());
    line.setParameterExceptionHandler((problem, _) -> misunderstood(problem));
    line.setExecutionExceptionHandler((failure, _, _) -> failed(failure, debug));
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "a command is missing");
  }

  private static int misunderstood(ParameterException problem) {
    var errors = problem.getCommandLine().getErr();
    errors.println("vertx: " + oneLine(problem));
    errors.println("Try " + problem.getCommandLine().getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE.number();
  }

  private static int failed(Throwable failure, boolean debug) {
    if (failure instanceof ParameterException problem) {
      return misunderstood(problem);
    }
    var code = ExitCode.of(failure);
    System.err.println("vertx: " + (code == ExitCode.BUG ? failure.toString() : oneLine(failure)));
    if (debug) {
      failure.printStackTrace(System.err);
    }
    return code.number();
  }

  private static String oneLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
