package dev.roost.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.settings.TopicSettings;
import dev.roost.server.topic.TopicRefusal;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two workers and what they tell each other, over real links.
@Timeout(60)
class RelayTest {
  private static final String BIG = "x".repeat(100_000);

  @TempDir private Path folder = Path.of("");
  private Office office;
  private Member one;
  private Member other;

  RelayTest() {}

  @BeforeEach
  void meet() throws Exception {
    office = new Office(folder, new TopicSettings(2_000, 1 << 20, 16 << 20), 2 << 20);
    one = office.join();
    other = office.join();
  }

  @AfterEach
  void part() throws Exception {
    one.close();
    other.close();
    office.close();
  }

  @Test
  void what_both_publish_reaches_the_followers_of_both_in_one_order() {
    var here = one.follow("news");
    var there = other.follow("news");
    IntStream.range(0, 1_000)
        .parallel()
        .forEach(i -> (i % 2 == 0 ? one : other).publishing("news", "message " + i));
    var first = take(here, 1_000);
    assertThat(first).doesNotHaveDuplicates().doesNotContain("gap", "(nothing)");
    assertThat(take(there, 1_000)).isEqualTo(first);
  }

  @Test
  void an_id_of_one_worker_is_good_in_the_other() throws Exception {
    one.publish("news", "before");
    var id = other.publish("news", "seen");
    other.publish("other news", "of another topic");
    one.publish("news", "missed");
    assertThat(take(one.follow("news", Optional.of(id)), 1)).containsExactly("missed");
    assertThat(take(other.follow("news", Optional.of(id)), 1)).containsExactly("missed");
    assertThat(take(other.follow("other news", Optional.of(id)), 1)).containsExactly("gap");
  }

  @Test
  void nothing_comes_twice_where_a_client_is_ahead_of_its_worker() throws Exception {
    var awake = new CountDownLatch(1);
    other.sleepUntil(awake);
    var seen = one.publish("news", "seen");
    var following = other.follow("news", Optional.of(seen));
    one.publish("news", "next");
    awake.countDown();
    assertThat(take(following, 1)).containsExactly("next");
  }

  @Test
  void a_worker_that_comes_later_has_the_history() throws Exception {
    var id = one.publish("news", "first");
    IntStream.range(0, 100).forEach(i -> one.publishing("news", "message " + i));
    one.publish("news", "last");
    try (var late = office.join()) {
      var messages = take(late.follow("news", Optional.of(id)), 101);
      assertThat(messages).startsWith("message 0").endsWith("message 99", "last");
      assertThat(take(late.follow("news", Optional.of("of-another-life")), 2))
          .containsExactly("gap", "first");
    }
  }

  @Test
  void what_was_acknowledged_to_a_worker_that_died_stays() throws Exception {
    var following = other.follow("news");
    var id = one.publish("news", "its last words");
    one.close();
    assertThat(take(following, 1)).containsExactly("its last words");
    other.publish("news", "and life goes on");
    assertThat(take(other.follow("news", Optional.of(id)), 1)).containsExactly("and life goes on");
  }

  @Test
  void a_worker_that_is_too_slow_has_a_gap_and_slows_nobody() throws Exception {
    var awake = new CountDownLatch(1);
    var following = other.follow("news");
    var silent = other.follow("quiet");
    other.sleepUntil(awake);
    one.publish("quiet", "the only one");
    for (var i = 0; i < 50; i++) {
      one.publish("news", BIG + i);
    }
    awake.countDown();
    var seen = takeUntil(following, BIG + 49);
    assertThat(seen).contains("gap");
    seen.removeIf("gap"::equals);
    assertThat(seen).doesNotHaveDuplicates().hasSizeLessThan(50);
    assertThat(take(silent, 1)).containsExactly("the only one");
  }

  @Test
  void who_published_what_is_gone_before_it_was_told_still_has_its_id() throws Exception {
    var amid = new CountDownLatch(1);
    var awake = new CountDownLatch(1);
    var mine = one.publishAsleep(amid, awake, "mine");
    fill("before");
    var following = other.follow("news");
    amid.countDown();
    assertThat(take(following, 1)).containsExactly("mine");
    fill("after");
    awake.countDown();
    var id = mine.await(20, TimeUnit.SECONDS);
    assertThat(take(other.follow("news", Optional.of(id)), 1)).containsExactly("gap");
  }

  @Test
  void where_the_only_message_of_a_topic_is_gone_before_it_was_told_there_is_a_gap()
      throws Exception {
    var awake = new CountDownLatch(1);
    other.sleepUntil(awake);
    var following = other.follow("quiet");
    for (var i = 0; i < 40; i++) {
      one.publish("noise " + i, BIG);
    }
    one.publish("quiet", "the only one");
    for (var i = 40; i < 80; i++) {
      one.publish("noise " + i, BIG);
    }
    awake.countDown();
    assertThat(take(following, 1)).containsExactly("gap");
  }

  @Test
  void without_a_supervisor_nothing_is_published_and_nobody_waits() throws Exception {
    office.close();
    assertThatThrownBy(
            () -> {
              while (true) {
                one.publish("news", "is anybody there");
              }
            })
        .isInstanceOf(TopicRefusal.class)
        .hasMessage("too many messages wait to be passed on to other processes");
  }

  @Test
  void a_message_that_no_frame_can_hold_is_refused() {
    assertThatThrownBy(() -> one.publish("news", "ä".repeat(2_200_000)))
        .hasMessage("between processes a message of 4400008 bytes is above 4194280");
  }

  @Test
  void notes_reach_all_in_one_order_the_sender_too() {
    var here = heard(one);
    var there = heard(other);
    IntStream.range(0, 100).parallel().forEach(i -> note(i % 2 == 0 ? one : other, "n" + i));
    var first = take(here, 100);
    assertThat(first).doesNotHaveDuplicates().doesNotContain("(nothing)");
    assertThat(take(there, 100)).isEqualTo(first);
  }

  @Test
  void a_worker_that_has_lost_notes_is_told_so() throws Exception {
    var awake = new CountDownLatch(1);
    var there = heard(other);
    other.sleepUntil(awake);
    while (office.notesLost() == 0) {
      note(one, BIG);
    }
    awake.countDown();
    assertThat(takeUntil(there, "lost")).containsOnly(BIG, "lost");
    note(one, "after");
    // what was not lost comes before, and more may have been
    assertThat(takeUntil(there, "after"))
        .containsOnlyOnce("after")
        .isSubsetOf(BIG, "lost", "after");
  }

  @Test
  void alone_a_process_tells_itself() {
    var relay = Relay.local();
    var heard = new LinkedBlockingQueue<String>();
    relay.on("limits", new Ear(heard));
    assertThat(relay.broadcast("limits", Buffer.buffer("one"))).isTrue();
    assertThat(relay.broadcast("others", Buffer.buffer("two"))).isTrue();
    assertThat(heard).containsExactly("one");
    assertThatThrownBy(() -> relay.broadcast("limits", Buffer.buffer(new byte[1 << 20])))
        .hasMessage("a note of 1048586 bytes is above 1048576");
  }

  private static void note(Member from, String text) {
    from.relay().broadcast("limits", Buffer.buffer(text));
  }

  private static BlockingQueue<String> heard(Member member) {
    var heard = new LinkedBlockingQueue<String>();
    member.relay().on("limits", new Ear(heard));
    return heard;
  }

  /// Everything up to `last`, which comes too.
  private static List<String> takeUntil(BlockingQueue<String> queue, String last) {
    var taken = new ArrayList<String>();
    while (!taken.contains(last)) {
      taken.addAll(take(queue, 1));
    }
    return taken;
  }

  /// Publishes more than a worker that sleeps is told, and more than is kept.
  private void fill(String mark) throws Exception {
    for (var i = 0; i < 40; i++) {
      other.publish("news", BIG + mark + i);
    }
  }

  private static List<String> take(BlockingQueue<String> from, int count) {
    return IntStream.range(0, count).mapToObj(_ -> next(from)).toList();
  }

  private static String next(BlockingQueue<String> from) {
    try {
      return Optional.ofNullable(from.poll(20, TimeUnit.SECONDS)).orElse("(nothing)");
    } catch (InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }

  private record Ear(BlockingQueue<String> heard) implements Relay.Listener {
    @Override
    public void heard(Buffer note) {
      heard.add(note.toString());
    }

    @Override
    public void lost() {
      heard.add("lost");
    }
  }
}
