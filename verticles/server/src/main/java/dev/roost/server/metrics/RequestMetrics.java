package dev.roost.server.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

/// The requests of all loops, added up when /metrics is read. Thread-safe.
final class RequestMetrics implements MultiCollector {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final List<RequestMeter> meters = new CopyOnWriteArrayList<>();

  RequestMeter meter() {
    var meter = new RequestMeter();
    meters.add(meter);
    return meter;
  }

  @Override
  public MetricSnapshots collect() {
    return new MetricSnapshots(answers(), inFlight(), duration());
  }

  private CounterSnapshot answers() {
    var answers = CounterSnapshot.builder().name("roost_http_requests").help("Requests answered");
    for (var row = 0; row < RequestMeter.METHODS.size(); row++) {
      for (var status = 0; status < RequestMeter.STATUSES; status++) {
        var index = row * RequestMeter.STATUSES + status;
        var count = sum(meter -> meter.answers(index));
        if (count > 0) {
          answers.dataPoint(answered(RequestMeter.METHODS.get(row), status, count));
        }
      }
    }
    return answers.build();
  }

  private static CounterDataPointSnapshot answered(String method, int status, long count) {
    return CounterDataPointSnapshot.builder()
        .labels(Labels.of("method", method, "status", Integer.toString(status)))
        .value((double) count)
        .build();
  }

  private GaugeSnapshot inFlight() {
    var ended = ended();
    var started = sum(RequestMeter::startedCount); // read last: never fewer than have ended
    return GaugeSnapshot.builder()
        .name("roost_http_requests_in_flight")
        .help("Requests not yet answered")
        .dataPoint(GaugeDataPointSnapshot.builder().value((double) started - ended).build())
        .build();
  }

  private HistogramSnapshot duration() {
    return HistogramSnapshot.builder()
        .name("roost_http_request_duration_seconds")
        .help("From the request's head to the end of its answer")
        .dataPoint(
            HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(buckets())
                .sum((double) sum(RequestMeter::nanos) / NANOS_PER_SECOND)
                .build())
        .build();
  }

  private ClassicHistogramBuckets buckets() {
    var buckets = ClassicHistogramBuckets.builder();
    for (var i = 0; i <= RequestMeter.BOUNDS_MILLIS.length; i++) {
      var bucket = i;
      var bound =
          i == RequestMeter.BOUNDS_MILLIS.length
              ? Double.POSITIVE_INFINITY
              : (double) RequestMeter.BOUNDS_MILLIS[i] / MILLIS_PER_SECOND;
      buckets.bucket(bound, sum(meter -> meter.inBucket(bucket)));
    }
    return buckets.build();
  }

  private long ended() {
    var ended = 0L;
    for (var i = 0; i <= RequestMeter.BOUNDS_MILLIS.length; i++) {
      var bucket = i;
      ended += sum(meter -> meter.inBucket(bucket));
    }
    return ended;
  }

  private long sum(ToLongFunction<RequestMeter> number) {
    return meters.stream().mapToLong(number).sum();
  }
}
