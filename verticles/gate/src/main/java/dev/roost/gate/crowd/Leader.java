package dev.roost.gate.crowd;

import dev.roost.gate.client.Crowd;
import dev.roost.gate.verdict.IdleFigures;
import dev.roost.gate.verdict.RampFigures;
import dev.roost.gate.verdict.RoundFigures;
import dev.roost.gate.verdict.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Several client processes as one crowd. They open their connections one process after the other,
/// so that the handshakes in flight stay those of one; they ask and read all at once, and none
/// reads before all have asked. Confined to one thread.
public final class Leader implements Crowd {
  private final List<FollowerProcess> followers = new ArrayList<>();
  private long asked;

  /// Starts the processes.
  ///
  /// @param commands one for each, that end up in [Follower#follow]
  /// @throws IOException if one cannot be started
  public Leader(List<List<String>> commands) throws IOException {
    try {
      for (List<String> command : commands) {
        followers.add(new FollowerProcess(command));
      }
    } catch (IOException noneOfThem) {
      close();
      throw noneOfThem;
    }
  }

  @Override
  public RampFigures ramp(int count, Duration limit) {
    long start = System.nanoTime();
    var sum = RampFigures.NONE;
    for (int index = 0; index < followers.size(); index++) {
      var left = limit.minusNanos(System.nanoTime() - start);
      int share = share(count, index + 1) - share(count, index);
      var follower = followers.get(index);
      follower.say("ramp " + share + " " + Math.max(0, left.toNanos()));
      sum = sum.and(Words.ramp(follower.hear()));
    }
    return new RampFigures(count, sum.tally(), Duration.ofNanos(System.nanoTime() - start));
  }

  /// How many of `count` the first `clients` processes open.
  private int share(int count, int clients) {
    return (int) ((long) count * clients / followers.size());
  }

  @Override
  public int open() {
    return all("open").stream().mapToInt(Integer::parseInt).sum();
  }

  @Override
  public IdleFigures idle() {
    return all("idle").stream().map(Words::idle).reduce(new IdleFigures(0, 0), IdleFigures::and);
  }

  @Override
  public void ask(Duration limit) {
    asked = System.nanoTime();
    var _ = all("ask " + limit.toNanos());
  }

  @Override
  public RoundFigures answers(Duration limit) {
    var tally = new Tally(Map.of());
    int early = 0;
    for (String line : all("answers " + limit.toNanos())) {
      var round = Words.round(line);
      tally = tally.and(round.tally());
      early += round.early();
    }
    return new RoundFigures(tally, early, Duration.ofNanos(System.nanoTime() - asked));
  }

  @Override
  public void leave() {
    var _ = all("leave");
  }

  @Override
  public List<String> causes() {
    return all("causes").stream().filter(line -> !line.isEmpty()).distinct().toList();
  }

  private List<String> all(String order) {
    followers.forEach(follower -> follower.say(order));
    return followers.stream().map(FollowerProcess::hear).toList();
  }

  @Override
  public void close() {
    followers.forEach(FollowerProcess::close);
  }
}
