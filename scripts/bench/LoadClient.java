import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/// The client of `scripts/bench.sh` where h2load does not do. Reads one load after another from its
/// input, such as `sockets port=19543 path=/echo connections=1000 warm-up=1 seconds=3`; says
/// `begin` when the measured time begins, and after it the figures as JSON. It stays between loads,
/// so that its own compiler has done its work.
public final class LoadClient {

  public static void main(String[] args) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in));
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      var words = line.split(" ");
      var values =
          Arrays.stream(words)
              .skip(1)
              .map(word -> word.split("=", 2))
              .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
      run(words[0], values);
    }
  }

  private static void run(String kind, Map<String, String> values) throws Exception {
    try (var load = load(kind, values)) {
      load.run(Double.parseDouble(values.get("warm-up")));
      load.begin();
      System.out.println("begin");
      load.run(Double.parseDouble(values.get("seconds")));
      System.out.println(load.figures());
    }
  }

  private static Load load(String kind, Map<String, String> values) throws Exception {
    var port = Integer.parseInt(values.get("port"));
    return switch (kind) {
      case "sockets" -> new SocketLoad(port, values.get("path"), number(values, "connections"));
      case "streams" -> new StreamLoad(port, number(values, "subscribers"), number(values, "rate"));
      case "probe" -> new ProbeLoad(port, number(values, "depth"));
      case "bursts" -> new BurstLoad(port, values.get("path"), number(values, "connections"));
      case "keep" ->
          new KeepLoad(
              port,
              values.get("path"),
              number(values, "connections"),
              Double.parseDouble(values.get("silent")));
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static int number(Map<String, String> values, String name) {
    return Integer.parseInt(values.get(name));
  }
}
