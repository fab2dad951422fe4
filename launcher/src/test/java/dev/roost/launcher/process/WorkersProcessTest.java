package dev.roost.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two worker processes and their supervisor.
class WorkersProcessTest {
  private static final String REQUESTS = "roost_http_requests_total{method=\"GET\",status=\"200\"}";
  private static final String RESTARTS = "roost_workers_restarts_total";

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final long POLL_NANOS = 20_000_000;

  @TempDir private Path folder = Path.of("");
  private VertxProcess server;
  private int port;
  private int management;

  WorkersProcessTest() {}

  @BeforeEach
  void start() throws IOException {
    server = VertxProcess.servingClass(PidRoutes.class, folder, "--processes=2");
    var ready = server.ready();
    port = Integer.parseInt(ready.group(1));
    management = Integer.parseInt(ready.group(2));
  }

  @AfterEach
  void stop() {
    workers().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    server.close();
  }

  @Test
  void both_answer_on_one_port_and_what_they_count_is_one_page() throws Exception {
    var pids = workers();
    assertThat(pids).hasSize(2);
    try (var clients = NewConnections.to(port, 2)) {
      until("both have answered", () -> clients.pids().equals(pids));
      clients.end();
      assertThat(number(REQUESTS)).isEqualTo((double) clients.answers());
      assertThat(number("roost_workers_ready")).isEqualTo(2);
      assertThat(clients.failures()).isEmpty();
    }
  }

  @Test
  void a_worker_that_is_killed_loses_its_own_connections_only_and_is_replaced() throws Exception {
    var before = workers();
    var victim = before.iterator().next();
    try (var clients = NewConnections.to(port, 4)) {
      until("both answer", () -> clients.pids().equals(before));
      var counted = number(REQUESTS);
      ProcessHandle.of(victim).orElseThrow().destroyForcibly();
      until("another one answers", () -> !before.containsAll(clients.pids()));
      clients.end();
      assertThat(clients.failures()).hasSizeLessThanOrEqualTo(4);
      assertThat(number(REQUESTS)).isGreaterThanOrEqualTo(counted);
      assertThat(number(RESTARTS)).isEqualTo(1);
      assertThat(server.errors()).contains("(process %d) has ended (signal 9)".formatted(victim));
    }
  }

  @Test
  void a_reload_replaces_both_without_losing_a_new_connection() throws Exception {
    var before = workers();
    try (var clients = NewConnections.to(port, 4)) {
      until("both answer", () -> clients.pids().equals(before));
      var counted = number(REQUESTS);
      var reload = CompletableFuture.supplyAsync(() -> post("/reload"));
      until("a third worker starts", () -> workers().size() == 3);
      assertThat(post("/reload")).startsWith("409 ");
      assertThat(reload.get()).startsWith("200 reloaded 2 workers");
      clients.forgetPids();
      until("two new ones answer", () -> clients.pids().size() == 2);
      assertThat(clients.pids()).doesNotContainAnyElementsOf(before);
      clients.end();
      assertThat(clients.failures()).isEmpty();
      assertThat(number(REQUESTS)).isEqualTo((double) clients.answers()).isGreaterThan(counted);
    }
  }

  @Test
  void sigterm_drains_both_side_by_side_and_ends_with_0() throws Exception {
    var pids = workers();
    var slow = CompletableFuture.supplyAsync(() -> slow());
    until("it is in flight", () -> number("roost_http_requests_in_flight") == 1);
    server.signal("TERM");
    assertThat(slow.get()).isIn(pids.stream().map(Object::toString).toList());
    assertThat(server.exitCode()).isZero();
    assertThat(pids).noneMatch(WorkersProcessTest::isAlive);
    assertThat(server.errors()).doesNotContain("\tat ", "Exception", "WARNING");
  }

  @Test
  void when_the_supervisor_is_killed_the_workers_end() throws Exception {
    var pids = workers();
    server.signal("KILL");
    until("they have ended", () -> pids.stream().noneMatch(WorkersProcessTest::isAlive));
  }

  @Test
  void a_drain_asked_for_on_the_management_port_ends_all() throws Exception {
    assertThat(post("/drain")).startsWith("202 ");
    assertThat(server.exitCode()).isZero();
    assertThat(server.errors()).contains("stopping (POST /drain)");
  }

  /// A JVM starts meanwhile, on a machine that may be busy with other builds.
  private static void until(String what, BooleanSupplier so) {
    var end = System.nanoTime() + START_LIMIT.toNanos();
    while (!so.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not so after %s: %s".formatted(START_LIMIT, what));
      }
      LockSupport.parkNanos(POLL_NANOS); // spinning would take a core from what is waited for
    }
  }

  private Set<Long> workers() {
    return ProcessHandle.of(server.pid()).stream()
        .flatMap(ProcessHandle::children)
        .map(ProcessHandle::pid)
        .collect(Collectors.toSet());
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private String slow() {
    try {
      return Long.toString(NewConnections.ask(port, "/slow"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private double number(String series) {
    return request("GET", "/metrics")
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .sum();
  }

  private String post(String path) {
    return request("POST", path);
  }

  /// @return the status, and the body
  private String request(String method, String path) {
    try {
      var uri = URI.create("http://127.0.0.1:%d%s".formatted(management, path));
      var connection = (HttpURLConnection) uri.toURL().openConnection();
      connection.setRequestMethod(method);
      int status = connection.getResponseCode();
      try (var body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
        return status + " " + new String(body.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
