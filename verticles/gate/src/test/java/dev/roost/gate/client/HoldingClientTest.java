package dev.roost.gate.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.gate.client.LoopbackServer.Asked;
import dev.roost.gate.memory.ProcessMemory;
import dev.roost.gate.protocol.Asking;
import dev.roost.gate.protocol.Expected;
import dev.roost.gate.protocol.Protocol;
import dev.roost.gate.verdict.Figures;
import dev.roost.gate.verdict.Held;
import dev.roost.gate.verdict.Limits;
import dev.roost.gate.verdict.Outcome;
import dev.roost.gate.verdict.Verdict;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Runs the client against servers that misbehave in one way each. Warm-up is off unless a test is
/// about it, so that connection numbers are those of the ramp.
class HoldingClientTest {
  private static final int CONNECTIONS = 50;
  private static final Limits.Memory UNLIMITED =
      new Limits.Memory(Limits.Memory.NONE, Limits.Memory.NONE, Limits.Memory.NONE);
  private static final Map<Outcome, Integer> ALL_GOOD = Map.of(Outcome.GOOD, CONNECTIONS);

  private final Setup setup = new Setup();

  @Test
  void a_good_server_passes() throws Exception {
    var figures = setup.against(Asked::answer);
    assertThat(figures.ramp().tally().counts()).isEqualTo(ALL_GOOD);
    assertThat(figures.rounds()).hasSize(2);
    assertThat(figures.rounds())
        .allSatisfy(round -> assertThat(round.tally().counts()).isEqualTo(ALL_GOOD));
    assertThat(figures.openWhenHeld()).isEqualTo(CONNECTIONS);
    assertThat(setup.reasons(figures)).isEmpty();
  }

  @Test
  void memory_is_read_at_half_with_all_and_after_the_rounds() throws Exception {
    var memory = setup.against(Asked::answer).memory();
    assertThat(memory.marks()).extracting(Held::open).containsExactly(CONNECTIONS / 2);
    assertThat(memory.settled()).map(Held::open).contains(CONNECTIONS);
    assertThat(memory.held().orElseThrow().sharedOutBytes()).isPresent();
    assertThat(memory.highest().orElseThrow())
        .isGreaterThanOrEqualTo(memory.idle().orElseThrow() / 2);
  }

  @Test
  void an_answer_may_come_byte_by_byte() throws Exception {
    var figures =
        setup.against(
            asked ->
                "HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\nHello from Roost\n"
                    .chars()
                    .forEach(c -> asked.raw(Character.toString(c))));
    assertThat(setup.reasons(figures)).isEmpty();
  }

  @Test
  void a_connection_dropped_while_idle_is_counted() throws Exception {
    setup.hold = Duration.ofSeconds(1);
    var figures = setup.against(at(7, 1, Asked::answerAndClose));
    assertThat(figures.ramp().tally().counts()).isEqualTo(ALL_GOOD);
    assertThat(figures.idle().dropped()).isEqualTo(1);
    assertThat(figures.openWhenHeld()).isEqualTo(CONNECTIONS - 1);
    assertRounds(figures, Outcome.CLOSED, Outcome.CLOSED);
  }

  @Test
  void a_wrong_body_in_one_round_is_counted_there() throws Exception {
    var figures = setup.against(at(3, 2, asked -> asked.answer("200 OK", "Hello from Rooks\n")));
    assertRounds(figures, Outcome.WRONG_BODY, Outcome.GOOD);
    assertThat(setup.reasons(figures))
        .containsExactly("round 1: 49 of 50 answered well (1 answered another body)");
  }

  @Test
  void a_500_in_one_round_is_counted_there() throws Exception {
    var figures = setup.against(at(3, 3, asked -> asked.answer("500 Oops", "Hello from Roost\n")));
    assertRounds(figures, Outcome.GOOD, Outcome.WRONG_STATUS);
    assertThat(setup.reasons(figures)).hasSize(1);
  }

  @Test
  void a_request_that_is_never_answered_is_counted() throws Exception {
    setup.roundMax = Duration.ofSeconds(1);
    var figures = setup.against(at(3, 3, asked -> {}));
    assertRounds(figures, Outcome.GOOD, Outcome.UNANSWERED);
    assertThat(setup.reasons(figures))
        .contains("round 2: 49 of 50 answered well (1 not answered in time)");
  }

  @Test
  void a_late_answer_is_not_taken_for_the_next_one() throws Exception {
    setup.roundMax = Duration.ofSeconds(1);
    var figures =
        setup.against(
            asked -> {
              if (asked.connection() != 3 || asked.request() == 1) {
                asked.answer();
              }
            });
    assertRounds(figures, Outcome.UNANSWERED, Outcome.CLOSED);
  }

  @Test
  void a_connection_closed_instead_of_answered_is_counted() throws Exception {
    var figures = setup.against(at(3, 2, Asked::close));
    assertRounds(figures, Outcome.CLOSED, Outcome.CLOSED);
    assertThat(figures.idle().dropped()).isZero();
  }

  @Test
  void an_answer_that_is_no_http_is_counted() throws Exception {
    var figures = setup.against(at(3, 2, asked -> asked.raw("SSH-2.0-what\r\n\r\n")));
    assertRounds(figures, Outcome.MALFORMED, Outcome.CLOSED);
  }

  @Test
  void bytes_that_nobody_asked_for_are_counted_once_per_connection() throws Exception {
    setup.hold = Duration.ofSeconds(1);
    LoopbackServer.Behaviour talkative =
        asked -> {
          asked.answer();
          asked.raw("one ");
          asked.raw("two");
        };
    var figures = setup.against(at(3, 1, talkative));
    assertThat(figures.idle().disturbed()).isEqualTo(1);
    assertThat(setup.reasons(figures)).containsExactly("hold: 1 connections sent unexpected bytes");
  }

  @Test
  void all_requests_of_a_round_are_written_before_any_answer_is_awaited() throws Exception {
    var figures = setup.against(answeringWhenAllHaveAsked());
    assertThat(setup.reasons(figures)).isEmpty();
  }

  @Test
  void no_answer_is_read_before_all_requests_are_written() throws Exception {
    var answered = new CountDownLatch(CONNECTIONS);
    setup.progress = line -> waitIf(line.equals("round 1: all requests written"), answered);
    var figures =
        setup.against(
            asked -> {
              asked.answer();
              if (asked.request() == 2) {
                answered.countDown();
              }
            });
    assertThat(figures.rounds().getFirst().early()).isZero();
    assertThat(setup.reasons(figures)).isEmpty();
  }

  @Test
  void connections_are_spread_over_the_addresses() throws Exception {
    var perAddress = new ConcurrentHashMap<String, Integer>();
    setup.against(
        asked -> {
          if (asked.request() == 1) {
            var local = (InetSocketAddress) asked.channel().localAddress();
            perAddress.merge(local.getAddress().getHostAddress(), 1, Integer::sum);
          }
          asked.answer();
        });
    assertThat(perAddress)
        .isEqualTo(Map.of("127.0.0.1", 13, "127.0.0.2", 13, "127.0.0.3", 12, "127.0.0.4", 12));
  }

  @Test
  void no_more_handshakes_than_allowed_are_in_flight() throws Exception {
    setup.inFlight = 5;
    var answered = new AtomicInteger();
    var most = new AtomicInteger();
    var figures =
        setup.against(
            asked -> {
              most.accumulateAndGet(asked.accepted() - answered.get(), Math::max);
              answered.addAndGet(asked.request() == 1 ? 1 : 0);
              asked.answer();
            });
    assertThat(most.get()).isBetween(1, 5);
    assertThat(figures.ramp().established()).isEqualTo(CONNECTIONS);
  }

  @Test
  void a_first_get_that_is_never_answered_ends_the_run_at_the_ramps_limit() throws Exception {
    setup.rampMax = Duration.ofSeconds(1);
    var figures = setup.against(at(3, 1, asked -> {}));
    assertThat(figures.ramp().tally().counts())
        .isEqualTo(Map.of(Outcome.GOOD, CONNECTIONS / 2 - 1, Outcome.UNANSWERED, 1));
    assertThat(setup.reasons(figures)).contains("round 1: was not run", "round 2: was not run");
  }

  @Test
  void a_server_without_tls_1_3_fails_the_handshake() throws Exception {
    try (var server = LoopbackServer.outdated()) {
      var figures = setup.run(server.port());
      assertThat(figures.ramp().tally().counts()).isEqualTo(Map.of(Outcome.UNSHAKEN, CONNECTIONS));
    }
  }

  @Test
  void a_port_without_server_cannot_be_connected() throws Exception {
    int port;
    try (var socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    var figures = setup.run(port);
    assertThat(figures.ramp().tally().counts()).isEqualTo(Map.of(Outcome.UNCONNECTED, CONNECTIONS));
  }

  @Test
  void the_warm_ups_connections_are_closed_again_and_no_drops() throws Exception {
    setup.warmUp = 20;
    var askedByWarmUp = new ConcurrentHashMap<Integer, Boolean>();
    var figures =
        setup.against(
            asked -> {
              askedByWarmUp.merge(asked.request(), asked.connection() < 20, Boolean::logicalOr);
              asked.answer();
            });
    assertThat(figures.warmUp().established()).isEqualTo(20);
    assertThat(askedByWarmUp).isEqualTo(Map.of(1, true, 2, false, 3, false));
    assertThat(setup.reasons(figures)).isEmpty();
  }

  @Test
  void a_failed_warm_up_is_told() throws Exception {
    setup.warmUp = 20;
    var figures = setup.against(at(3, 1, Asked::close));
    assertThat(figures.warmUp().established()).isEqualTo(19);
    assertThat(setup.reasons(figures))
        .singleElement()
        .asString()
        .startsWith("warm-up: 19 of 20 answered (1 closed before the answer)");
  }

  private static LoopbackServer.Behaviour at(
      int connection, int request, LoopbackServer.Behaviour bad) {
    return asked -> {
      if (asked.connection() == connection && asked.request() == request) {
        bad.asked(asked);
      } else {
        asked.answer();
      }
    };
  }

  private static void assertRounds(Figures figures, Outcome first, Outcome second) {
    assertThat(figures.rounds().get(0).tally().counts()).isEqualTo(allGoodBut(first));
    assertThat(figures.rounds().get(1).tally().counts()).isEqualTo(allGoodBut(second));
  }

  private static Map<Outcome, Integer> allGoodBut(Outcome one) {
    return one == Outcome.GOOD ? ALL_GOOD : Map.of(Outcome.GOOD, CONNECTIONS - 1, one, 1);
  }

  private static LoopbackServer.Behaviour answeringWhenAllHaveAsked() {
    Queue<Asked> waiting = new ConcurrentLinkedQueue<>();
    var count = new AtomicInteger();
    return asked -> {
      if (asked.request() == 1) {
        asked.answer();
        return;
      }
      waiting.add(asked);
      if (count.incrementAndGet() % CONNECTIONS == 0) {
        while (!waiting.isEmpty()) {
          waiting.remove().answer();
        }
      }
    };
  }

  private static void waitIf(boolean wanted, CountDownLatch latch) {
    try {
      assertThat(!wanted || latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /// A run's plan and limits, with room for a test to change one.
  private static final class Setup {
    private int warmUp;
    private int inFlight = 16;
    private Duration hold = Duration.ZERO;
    private Duration rampMax = Duration.ofSeconds(30);
    private Duration roundMax = Duration.ofSeconds(30);
    private Progress progress = line -> {};

    private Limits limits() {
      return new Limits(CONNECTIONS, rampMax, roundMax, 2, UNLIMITED);
    }

    private Figures against(LoopbackServer.Behaviour behaviour) throws InterruptedException {
      try (var server = LoopbackServer.behaving(behaviour)) {
        return run(server.port());
      }
    }

    private Figures run(int port) throws InterruptedException {
      var addresses = List.of("127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4");
      var asking = new Asking(Protocol.HTTP1, "/", Expected.body("Hello from Roost\n"));
      var target = new Target(addresses, Optional.empty(), port, asking);
      var plan = new Plan(target, inFlight, warmUp, Duration.ZERO, hold, 2, List.of());
      var thisProcess = new ProcessMemory(ProcessHandle.current().pid());
      try (var crowd = new LocalCrowd(plan)) {
        return new HoldingClient(plan, limits(), thisProcess, progress).run(crowd);
      }
    }

    private List<String> reasons(Figures figures) {
      return Verdict.of(figures, limits()).reasons();
    }
  }
}
