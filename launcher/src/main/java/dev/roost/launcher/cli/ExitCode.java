package dev.roost.launcher.cli;

import dev.roost.launcher.deploy.FailedVerticle;
import dev.roost.launcher.process.FailedWorker;
import dev.roost.launcher.shutdown.StopSignal;
import dev.roost.server.settings.StartRefusal;
import java.util.Arrays;
import java.util.stream.Collectors;

/// How `vertx` ends, one number for each stage that can fail. docs/guides/exit-codes.md lists the
/// same.
enum ExitCode {
  OK(0, "ended as asked: by SIGTERM, SIGINT, or because the work was done"),
  BUG(1, "a mistake of ours, or stopping took too long"),
  USAGE(2, "the command line is not understood"),
  SETTINGS(3, "a setting is unknown or not allowed, or a file of settings cannot be read"),
  VERTICLE(4, "the verticle is unknown, or failed to start"),
  BIND(5, "a port is in use or cannot be bound"),
  CERTIFICATE(6, "the certificate or its key cannot be used"),
  DATA(7, "the data directory or the database cannot be used"),
  TRANSPORT(8, "the transport that was asked for is not available"),
  NO_ANSWER(9, "the running server was not reached, or did not do what was asked"),
  INTERRUPTED(StopSignal.INTERRUPTED, "stopped at once by a second SIGINT");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  static ExitCode of(Throwable failure) {
    return switch (failure) {
      case StartRefusal refusal ->
          switch (refusal.stage()) {
            case SETTINGS -> SETTINGS;
            case TRANSPORT -> TRANSPORT;
            case CERTIFICATE -> CERTIFICATE;
            case BIND -> BIND;
            case DATABASE -> DATA;
            case APPLICATION -> VERTICLE;
          };
      case FailedVerticle _ -> VERTICLE;
      case FailedWorker worker -> of(worker.exitCode());
      default -> BUG;
    };
  }

  /// That of a process that ended so; of a signal, or of a JVM's own, there is none.
  private static ExitCode of(int number) {
    return Arrays.stream(values())
        .filter(code -> code.number == number && code != OK)
        .findFirst()
        .orElse(BUG);
  }

  int number() {
    return number;
  }

  String meaning() {
    return meaning;
  }

  /// The list for `--help`.
  static String table() {
    return Arrays.stream(values())
        .map(code -> "  %3d  %s%n".formatted(code.number, code.meaning))
        .collect(Collectors.joining());
  }
}
