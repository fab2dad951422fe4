package dev.roost.gate.cli;

import dev.roost.gate.client.Plan;
import dev.roost.gate.client.Target;
import dev.roost.gate.verdict.Limits;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The command line, checked.
///
/// @param name what the run is called in its report
/// @param server what the human calls the server under test
/// @param serverPid root of the server's process tree
record Arguments(String name, String server, long serverPid, Plan plan, Limits limits) {
  static final String USAGE =
      """
      usage: gate --port PORT --pid PID --bytes-max BYTES [OPTION VALUE]...

      Opens TLS connections to a running server, holds them idle, asks on all of them at once, and
      prints one JSON line with verdict and figures. Exits: 0 PASS, 1 FAIL, 2 usage, 3 limits.

        --port PORT             the server's port on loopback
        --pid PID               the server's process; its memory and its children's is measured
        --bytes-max BYTES       most server memory for one open connection
        --total-bytes-max BYTES most server memory in all with the connections held (no limit)
        --name NAME             the gate's name in the report (gate)
        --server TEXT           what is measured, for the report (empty)
        --connections N         connections to hold (10000)
        --in-flight N           most handshakes at once (256)
        --warm-up N             connections opened and closed before, at most 1000 (1000)
        --quiet-seconds S       time after the warm-up before the idle memory is read (5)
        --ramp-seconds-max S    longest ramp (180)
        --hold-seconds S        time to stay idle (30)
        --rounds N              rounds of one request on each connection (2)
        --round-seconds-max S   longest round (60)
        --addresses LIST        comma between (127.0.0.1,127.0.0.2,127.0.0.3,127.0.0.4)
        --path PATH             what to ask for (/)
        --body TEXT             the expected body ("Hello from Roost" and a line feed)
        --loops N               event loops of the client (one per core, at most 4)
      """;

  private static final int LOOPS_DEFAULT_MAX = 4;
  private static final String NO_LIMIT = Long.toString(Long.MAX_VALUE);

  /// Reads `--name value` pairs.
  ///
  /// @throws IllegalArgumentException if an option is unknown, missing, repeated or out of range
  static Arguments parse(List<String> words) {
    var options = pairs(words);
    var target =
        new Target(
            List.of(
                text(options, "addresses", "127.0.0.1,127.0.0.2,127.0.0.3,127.0.0.4")
                    .split(",", -1)),
            small("port", number(options, "port")),
            text(options, "path", "/"),
            text(options, "body", "Hello from Roost\n"));
    var plan =
        new Plan(
            target,
            integer(options, "in-flight", 256),
            integer(options, "warm-up", 1000),
            seconds(options, "quiet-seconds", 5),
            seconds(options, "hold-seconds", 30),
            integer(
                options,
                "loops",
                Math.min(LOOPS_DEFAULT_MAX, Runtime.getRuntime().availableProcessors())));
    var limits =
        new Limits(
            integer(options, "connections", 10_000),
            seconds(options, "ramp-seconds-max", 180),
            seconds(options, "round-seconds-max", 60),
            integer(options, "rounds", 2),
            new Limits.Memory(
                number(options, "bytes-max"),
                parsed("total-bytes-max", text(options, "total-bytes-max", NO_LIMIT))));
    var arguments =
        new Arguments(
            text(options, "name", "gate"),
            text(options, "server", ""),
            number(options, "pid"),
            plan,
            limits);
    if (!options.isEmpty()) {
      throw new IllegalArgumentException("unknown option --" + options.keySet().iterator().next());
    }
    return arguments;
  }

  private static Map<String, String> pairs(List<String> words) {
    var options = new HashMap<String, String>();
    for (int index = 0; index < words.size(); index += 2) {
      String word = words.get(index);
      if (!word.startsWith("--")) {
        throw new IllegalArgumentException("expected an option but found " + word);
      }
      if (index + 1 == words.size()) {
        throw new IllegalArgumentException(word + " has no value");
      }
      if (options.put(word.substring(2), words.get(index + 1)) != null) {
        throw new IllegalArgumentException(word + " is given twice");
      }
    }
    return options;
  }

  private static String text(Map<String, String> options, String name, String otherwise) {
    String value = options.remove(name);
    return value == null ? otherwise : value;
  }

  private static Duration seconds(Map<String, String> options, String name, int otherwise) {
    return Duration.ofSeconds(integer(options, name, otherwise));
  }

  private static int integer(Map<String, String> options, String name, int otherwise) {
    String value = options.remove(name);
    return value == null ? otherwise : small(name, parsed(name, value));
  }

  private static long number(Map<String, String> options, String name) {
    String value = options.remove(name);
    if (value == null) {
      throw new IllegalArgumentException("--" + name + " is missing");
    }
    return parsed(name, value);
  }

  private static int small(String name, long value) {
    if (value != (int) value) {
      throw new IllegalArgumentException("--" + name + " is " + value + " but must be smaller");
    }
    return (int) value;
  }

  private static long parsed(String name, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException notOne) {
      throw new IllegalArgumentException(
          "--" + name + " is " + value + " but must be a whole number", notOne);
    }
  }
}
