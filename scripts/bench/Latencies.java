import java.util.Locale;
import org.HdrHistogram.Histogram;

/// How long each thing took since the count began. Confined to one event loop.
final class Latencies {
  private final Histogram nanoseconds = new Histogram(3);
  private long began = System.nanoTime();

  void begin() {
    nanoseconds.reset();
    began = System.nanoTime();
  }

  /// Something that started at `start`, by System.nanoTime, ends now.
  void record(long start) {
    if (start >= began) {
      nanoseconds.recordValue(System.nanoTime() - start);
    }
  }

  /// As JSON: how many, in how many seconds, the median and the 99th percentile in microseconds.
  String json() {
    return String.format(
        Locale.ROOT,
        "{\"count\": %d, \"seconds\": %.3f, \"p50_microseconds\": %.1f,"
            + " \"p99_microseconds\": %.1f}",
        nanoseconds.getTotalCount(),
        (System.nanoTime() - began) / 1e9,
        nanoseconds.getValueAtPercentile(50) / 1e3,
        nanoseconds.getValueAtPercentile(99) / 1e3);
  }
}
