package dev.roost.server.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.metrics.ServerMetrics;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Pages of several processes as one.
class ExpositionTest {

  @Test
  void counters_histograms_and_amounts_are_added_up() {
    var sum = Exposition.sum(List.of(page(1, 2, 3, 4, 5, 6), page(10, 20, 30, 40, 50, 60)));
    assertThat(sum.value("shop_sold_total{kind=\"tea\"}")).isEqualTo(11);
    assertThat(sum.value("shop_wait_seconds_bucket{le=\"+Inf\"}")).isEqualTo(33);
    assertThat(sum.value("shop_wait_seconds_count")).isEqualTo(44);
    assertThat(sum.value("shop_guests")).isEqualTo(55);
  }

  @Test
  void of_what_has_no_sum_the_greatest_counts() {
    var sum = Exposition.sum(List.of(page(1, 2, 3, 4, 5, 6), page(10, 20, 30, 40, 50, 60)));
    assertThat(sum.value("process_uptime_seconds")).isEqualTo(60);
    assertThat(sum.value("jvm_info{version=\"25\"}")).isEqualTo(1);
  }

  @Test
  void what_is_not_known_counts_nothing_beside_what_is() {
    var unknown = Exposition.of("# TYPE shop_guests gauge\nshop_guests NaN\n");
    assertThat(Exposition.sum(List.of(unknown)).text()).contains("shop_guests NaN");
    var both = Exposition.sum(List.of(unknown, page(0, 0, 0, 0, 7, 0)));
    assertThat(both.value("shop_guests")).isEqualTo(7);
  }

  @Test
  void of_a_process_that_has_ended_counters_stay_and_gauges_go() {
    var kept = Exposition.of("");
    kept.addLasting(page(1, 2, 3, 4, 5, 6));
    assertThat(kept.text())
        .contains("# HELP shop_sold_total Things sold", "shop_sold_total{kind=\"tea\"} 1.0")
        .contains("shop_wait_seconds_count 4.0")
        .doesNotContain("shop_guests", "process_uptime_seconds", "jvm_info");
  }

  @Test
  void a_page_of_the_server_is_read_and_written_whole() {
    try (var metrics = new ServerMetrics()) {
      metrics.tlsHandshake("TLSv1.3", false);
      var page = metrics.scrape();
      var again = Exposition.of(page).text();
      assertThat(names(again)).isEqualTo(names(page)).hasSizeGreaterThan(50);
      assertThat(again).contains("# TYPE roost_event_loop_delay_seconds histogram");
    }
  }

  /// Workers come, count and die in any order; a page is asked for in between.
  @Test
  void a_counter_never_goes_back_whoever_dies() {
    var random = new Random(42);
    var workers = new Exposition[] {counting(0), counting(0), counting(0), counting(0)};
    var retired = Exposition.of("");
    var told = 0.0;
    for (var step = 0; step < 1_000; step++) {
      liveOrDie(random, workers, retired);
      var all = Exposition.sum(List.of(workers));
      all.add(retired);
      assertThat(all.value("shop_sold_total")).isGreaterThanOrEqualTo(told);
      told = all.value("shop_sold_total");
    }
  }

  private static void liveOrDie(Random random, Exposition[] workers, Exposition retired) {
    int one = random.nextInt(workers.length);
    if (random.nextInt(5) == 0) {
      retired.addLasting(workers[one]);
      workers[one] = counting(0);
    } else {
      workers[one] = counting(workers[one].value("shop_sold_total") + random.nextInt(9));
    }
  }

  private static Exposition counting(double sold) {
    return Exposition.of("# TYPE shop_sold_total counter\nshop_sold_total %s\n".formatted(sold));
  }

  private static Exposition page(Object... values) {
    return Exposition.of(
        """
        # HELP shop_sold_total Things sold
        # TYPE shop_sold_total counter
        shop_sold_total{kind="tea"} %s
        # TYPE shop_wait_seconds histogram
        shop_wait_seconds_bucket{le="1.0"} %s
        shop_wait_seconds_bucket{le="+Inf"} %s
        shop_wait_seconds_count %s
        # TYPE shop_guests gauge
        shop_guests %s
        # TYPE process_uptime_seconds gauge
        process_uptime_seconds %s
        # TYPE jvm_info gauge
        jvm_info{version="25"} 1
        """
            .formatted(values));
  }

  private static List<String> names(String page) {
    return page.lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .sorted()
        .toList();
  }
}
