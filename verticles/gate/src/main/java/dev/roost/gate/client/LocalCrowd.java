package dev.roost.gate.client;

import dev.roost.gate.verdict.IdleFigures;
import dev.roost.gate.verdict.RampFigures;
import dev.roost.gate.verdict.RoundFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The connections of this process. Confined to one thread.
public final class LocalCrowd implements Crowd {
  /// Time that connections which were left get to close.
  private static final Duration CLOSE_MAX = Duration.ofSeconds(10);

  private final int inFlightMax;
  private final Dialer dialer;
  private final List<HeldConnection> held = new ArrayList<>();
  private Idleness idleness = new Idleness();
  private Round round = new Round(List.of());

  /// Makes the event loops; opens nothing yet.
  public LocalCrowd(Plan plan) {
    this.inFlightMax = plan.inFlightMax();
    this.dialer = new Dialer(plan.target(), plan.loops());
  }

  @Override
  public RampFigures ramp(int count, Duration limit) throws InterruptedException {
    var ramp = new Ramp(dialer, idleness, count);
    var figures = ramp.run(inFlightMax, limit);
    held.addAll(ramp.established());
    return figures;
  }

  @Override
  public int open() {
    return (int) held.stream().filter(HeldConnection::isOpen).count();
  }

  @Override
  public IdleFigures idle() {
    return idleness.figures();
  }

  @Override
  public void ask(Duration limit) throws InterruptedException {
    round = new Round(held);
    round.write(limit);
  }

  @Override
  public RoundFigures answers(Duration limit) throws InterruptedException {
    return round.read(limit);
  }

  @Override
  public void leave() throws InterruptedException {
    for (HeldConnection connection : held) {
      connection.onLoop(connection::close);
    }
    long deadline = System.nanoTime() + CLOSE_MAX.toNanos();
    while (open() > 0 && System.nanoTime() < deadline) {
      Thread.sleep(10);
    }
    held.clear();
    idleness = new Idleness();
  }

  @Override
  public List<String> causes() {
    return dialer.causes();
  }

  @Override
  public void close() {
    dialer.close();
  }
}
