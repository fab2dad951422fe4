package dev.roost.gate.crowd;

import dev.roost.gate.client.Crowd;
import dev.roost.gate.client.LocalCrowd;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A client process that does what its leader says: one line in, one line out. It ends with its
/// input, so that it does not outlive its leader. Confined to one thread.
public final class Follower {
  private final Crowd crowd;
  private final PrintStream answers;

  public Follower(LocalCrowd crowd, PrintStream answers) {
    this.crowd = crowd;
    this.answers = answers;
  }

  /// Follows until `orders` end.
  public void follow(InputStream orders) throws IOException, InterruptedException {
    var lines = new BufferedReader(new InputStreamReader(orders, StandardCharsets.US_ASCII));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      answers.println(obey(Words.split(line)));
      answers.flush();
    }
  }

  private String obey(List<String> order) throws InterruptedException {
    return switch (order.getFirst()) {
      case "ramp" ->
          Words.of(crowd.ramp(Integer.parseInt(order.get(1)), Words.nanos(order.get(2))));
      case "open" -> Integer.toString(crowd.open());
      case "idle" -> Words.of(crowd.idle());
      case "ask" -> {
        crowd.ask(Words.nanos(order.get(1)));
        yield "asked";
      }
      case "answers" -> Words.of(crowd.answers(Words.nanos(order.get(1))));
      case "leave" -> {
        crowd.leave();
        yield "left";
      }
      case "causes" -> String.join("; ", crowd.causes()).replace('\n', ' ');
      default -> throw new IllegalArgumentException("no such order: " + order);
    };
  }
}
