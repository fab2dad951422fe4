package dev.roost.launcher.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How a worker is started: the command line of the supervisor, as `vertx worker`, and what must be
/// the same in all of them, whatever the settings say by then.
///
/// @param script `scripts/vertx`, which finds the JVM options of the profile
/// @param arguments of the supervisor, with `run` first
/// @param pinned `KEY=VALUE`, over what the arguments set
/// @param link the unix socket of the supervisor
record Recipe(Path script, List<String> arguments, List<String> pinned, Path link) {

  Process start(int slot) throws IOException {
    var command = new ArrayList<>(List.of(script.toString(), "worker"));
    command.addAll(arguments.subList(1, arguments.size()));
    pinned.forEach(assignment -> command.addAll(List.of("--set", assignment)));
    command.addAll(List.of("--link", link.toString(), "--slot", Integer.toString(slot)));
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
