package dev.roost.gate.cli;

import dev.roost.gate.client.Plan;
import dev.roost.gate.client.Target;
import dev.roost.gate.machine.Need;
import dev.roost.gate.protocol.Asking;
import dev.roost.gate.protocol.Expected;
import dev.roost.gate.protocol.Protocol;
import dev.roost.gate.verdict.Limits;
import java.util.List;

/// The command line, checked.
///
/// @param name what the run is called in its report
/// @param server what the human calls the server under test
/// @param serverPid root of the server's process tree
record Arguments(
    String name, String server, long serverPid, Plan plan, Limits limits, Spread spread) {
  static final String USAGE =
      """
      usage: gate --port PORT --pid PID --bytes-max BYTES [OPTION VALUE]...

      Opens TLS connections to a running server, holds them idle, asks on all of them at once, and
      prints one JSON line with verdict and figures. Exits: 0 PASS, 1 FAIL, 2 usage, 3 limits.

        --port PORT             the server's port
        --pid PID               the server's process; its memory and its children's is measured
        --bytes-max BYTES       most server memory for one open connection; none: only reported
        --bytes-after-max BYTES the same after the rounds and one more hold (none)
        --total-bytes-max BYTES most server memory in all with the connections held (none)
        --name NAME             the gate's name in the report (gate)
        --server TEXT           what is measured, for the report (empty)
        --processes N           processes of the server that share the connections (1)
        --connections N         connections to hold (10000)
        --marks LIST            counts, besides half, at which memory is read (none)
        --in-flight N           most handshakes at once (256)
        --warm-up N             connections opened and closed before, at most 1000 (1000)
        --quiet-seconds S       time after the warm-up before the idle memory is read (5)
        --ramp-seconds-max S    longest ramp, without the holds at the marks (180)
        --hold-seconds S        time to stay idle: at each mark, with all, after the rounds (30)
        --rounds N              rounds of one request on each connection (2)
        --round-seconds-max S   longest round (60)
        --addresses LIST        comma between (127.0.0.1,127.0.0.2,127.0.0.3,127.0.0.4)
        --protocol NAME         h1 or h2 (h1)
        --path PATH             what to ask for (/)
        --body TEXT             the expected body ("Hello from Roost" and a line feed)
        --body-end TEXT         how the body ends, instead of all of it
        --loops N               event loops of a client (one per core, at most 4)
        --clients N             client processes that share the connections (1)
        --sources LIST          addresses they come from, one after the other (the kernel's choice)
        --client-prefix WORDS   before each one's command, %d is its number (none)
      """;

  private static final int LOOPS_DEFAULT_MAX = 4;
  private static final String NONE = "none";

  /// Reads `--name value` pairs.
  ///
  /// @throws IllegalArgumentException if an option is unknown, missing, repeated or out of range
  static Arguments parse(List<String> words) {
    var options = new Options(words);
    var spread = spread(options);
    var arguments =
        new Arguments(
            options.text("name", "gate"),
            options.text("server", ""),
            options.number("pid"),
            plan(options, spread),
            limits(options),
            spread);
    options.allTaken();
    var _ = arguments.need();
    return arguments;
  }

  private static Spread spread(Options options) {
    return new Spread(
        options.integer("clients", 1),
        options.integer("processes", 1),
        options.list("sources", ","),
        options.list("client-prefix", " "),
        options.integer("follow"));
  }

  private static Plan plan(Options options, Spread spread) {
    var addresses = options.text("addresses", "127.0.0.1,127.0.0.2,127.0.0.3,127.0.0.4");
    var target =
        new Target(
            List.of(addresses.split(",", -1)),
            spread.source(),
            options.small("port"),
            asking(options));
    return new Plan(
        target,
        options.integer("in-flight", 256),
        options.integer("warm-up", 1000),
        options.seconds("quiet-seconds", 5),
        options.seconds("hold-seconds", 30),
        options.integer(
            "loops", Math.min(LOOPS_DEFAULT_MAX, Runtime.getRuntime().availableProcessors())),
        options.list("marks", ",").stream()
            .map(mark -> Options.small("marks", Options.parsed("marks", mark)))
            .toList());
  }

  private static Asking asking(Options options) {
    var end = options.text("body-end", "");
    var body = options.text("body", "Hello from Roost\n");
    return new Asking(
        Protocol.of(options.text("protocol", "h1")),
        options.text("path", "/"),
        end.isEmpty() ? Expected.body(body) : Expected.end(end));
  }

  private static Limits limits(Options options) {
    return new Limits(
        options.integer("connections", 10_000),
        options.seconds("ramp-seconds-max", 180),
        options.seconds("round-seconds-max", 60),
        options.integer("rounds", 2),
        new Limits.Memory(
            bytes("bytes-max", options.required("bytes-max")),
            bytes("bytes-after-max", options.text("bytes-after-max", NONE)),
            bytes("total-bytes-max", options.text("total-bytes-max", NONE))));
  }

  private static long bytes(String name, String value) {
    return value.equals(NONE) ? Limits.Memory.NONE : Options.parsed(name, value);
  }

  /// What the run asks of the machine.
  Need need() {
    return new Need(
        limits.connections(),
        spread.clients(),
        spread.processes(),
        spread.paths(plan.target().addresses().size()));
  }
}
