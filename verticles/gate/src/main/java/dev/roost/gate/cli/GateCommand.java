package dev.roost.gate.cli;

import dev.roost.gate.client.Crowd;
import dev.roost.gate.client.HoldingClient;
import dev.roost.gate.client.LocalCrowd;
import dev.roost.gate.crowd.Follower;
import dev.roost.gate.crowd.Leader;
import dev.roost.gate.machine.Capacity;
import dev.roost.gate.machine.Machine;
import dev.roost.gate.memory.ProcessMemory;
import dev.roost.gate.verdict.Figures;
import dev.roost.gate.verdict.Verdict;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/// The gate's command: the report goes to one stream, everything for the human to the other.
public final class GateCommand {
  /// All limits were kept.
  public static final int PASS = 0;

  /// A limit was not kept.
  public static final int FAIL = 1;

  /// The command line was wrong.
  public static final int USAGE = 2;

  /// The machine cannot carry the run; nothing was measured.
  public static final int UNABLE = 3;

  private final PrintStream report;
  private final PrintStream human;

  public GateCommand(PrintStream report, PrintStream human) {
    this.report = report;
    this.human = human;
  }

  public static void main(String[] words) throws InterruptedException {
    System.exit(new GateCommand(System.out, System.err).run(List.of(words)));
  }

  /// Runs once.
  ///
  /// @return the exit code: one of [#PASS], [#FAIL], [#USAGE], [#UNABLE]
  public int run(List<String> words) throws InterruptedException {
    if (words.contains("--help")) {
      human.print(Arguments.USAGE);
      return PASS;
    }
    Arguments arguments;
    try {
      arguments = Arguments.parse(words);
    } catch (IllegalArgumentException wrong) {
      human.println("gate: " + wrong.getMessage() + "; --help lists the options");
      return USAGE;
    }
    if (arguments.spread().following().isPresent()) {
      return follow(arguments);
    }
    List<String> missing = missing(arguments);
    if (!missing.isEmpty()) {
      missing.forEach(limit -> human.println("gate: " + limit));
      return UNABLE;
    }
    return measure(arguments);
  }

  private static List<String> missing(Arguments arguments) {
    if (!Epoll.isAvailable()) {
      return List.of("the client needs Linux and its epoll: " + Epoll.unavailabilityCause());
    }
    try {
      return Capacity.towards(arguments.serverPid()).missingFor(arguments.need());
    } catch (IOException gone) {
      return List.of("there is no process " + arguments.serverPid());
    }
  }

  private int follow(Arguments arguments) throws InterruptedException {
    try (var crowd = new LocalCrowd(arguments.plan())) {
      new Follower(crowd, report).follow(System.in);
      return PASS;
    } catch (IOException unreadable) {
      human.println("gate: a client lost its leader: " + unreadable.getMessage());
      return UNABLE;
    }
  }

  private int measure(Arguments arguments) throws InterruptedException {
    Figures figures;
    try (var crowd = crowd(arguments)) {
      figures = client(arguments).run(crowd);
    } catch (IOException | IllegalStateException lost) {
      human.println("gate: the client failed: " + lost.getMessage());
      return UNABLE;
    }
    var verdict = Verdict.of(figures, arguments.limits());
    verdict.reasons().forEach(reason -> human.println("gate: " + reason));
    human.println("gate: " + (verdict.passed() ? "PASS" : "FAIL"));
    report.println(new Report(arguments, figures).json(Machine.here(), Instant.now()));
    return verdict.passed() ? PASS : FAIL;
  }

  private HoldingClient client(Arguments arguments) {
    return new HoldingClient(
        arguments.plan(),
        arguments.limits(),
        new ProcessMemory(arguments.serverPid()),
        line -> human.println("gate: " + line));
  }

  private static Crowd crowd(Arguments arguments) throws IOException {
    var spread = arguments.spread();
    if (spread.clients() == 1 && spread.prefix().isEmpty()) {
      return new LocalCrowd(arguments.plan());
    }
    var own = ownCommand();
    return new Leader(
        IntStream.range(0, spread.clients())
            .mapToObj(index -> spread.command(own, index))
            .toList());
  }

  /// ProcessHandle cuts a long command line short; /proc has all of it.
  private static List<String> ownCommand() throws IOException {
    var words = Files.readString(Path.of("/proc/self/cmdline")).split("\0", -1);
    return List.of(words).subList(0, words.length - 1);
  }
}
