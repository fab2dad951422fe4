package dev.roost.server.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.settings.TopicSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a topic keeps, and for whom.
class TopicsTest {

  private static final Function<List<TopicMessage>, Object> FORM = TopicsTest::form;

  private final VertxInternal vertx = (VertxInternal) Vertx.vertx();
  private final ContextInternal loop = vertx.createEventLoopContext();
  private final ServerMetrics metrics = new ServerMetrics();

  @AfterEach
  void close() {
    vertx.close().await();
    metrics.close();
  }

  @Test
  void followers_on_every_loop_get_every_message_in_one_order() {
    var topic = topics(4_000).topic("news");
    var followers =
        Stream.generate(vertx::createEventLoopContext)
            .limit(4)
            .flatMap(context -> Stream.generate(() -> following(context, topic)).limit(10))
            .toList();
    IntStream.range(0, 4_000).parallel().forEach(i -> topic.publish("message " + i));
    var first = followers.getFirst().take(4_000);
    assertThat(first).doesNotHaveDuplicates().hasSize(4_000).doesNotContain("gap");
    assertThat(followers.stream().skip(1))
        .allSatisfy(f -> assertThat(f.take(4_000)).isEqualTo(first));
  }

  @Test
  void who_is_not_ready_keeps_a_place_and_nothing_else() {
    var topic = topics(10).topic("news");
    var slow = following(loop, topic);
    slow.ready(false);
    IntStream.range(0, 13).forEach(i -> topic.publish("m" + i));
    assertThat(on(loop, slow::received)).isEmpty();
    slow.ready(true);
    assertThat(slow.take(11))
        .containsExactly("gap", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12");
    assertThat(metrics.scrape()).contains("\nroost_topics_gaps_total 1.0\n");
  }

  @Test
  void what_is_made_of_a_message_is_made_once_for_all_requests_of_a_loop() {
    var topic = topics(10).topic("news");
    var followers = Stream.generate(() -> following(loop.duplicate(), topic)).limit(300).toList();
    topic.publish("one");
    followers.forEach(follower -> follower.take(1));
    assertThat(followers.stream().map(Recorder::form).distinct()).hasSize(1);
  }

  @Test
  void a_history_is_bounded_in_bytes_and_the_oldest_go_first() {
    var topic =
        new Topics(new TopicSettings(1_024, 64 << 10, 64 << 10), metrics.topics()).topic("t");
    var start = topic.lastId();
    Stream.of("a", "b", "c").forEach(letter -> topic.publish(letter.repeat(15_000)));
    var late = following(loop, topic, Optional.of(start));
    assertThat(late.take(3).stream().map(text -> text.charAt(0))).containsExactly('g', 'b', 'c');
  }

  @Test
  void a_message_that_is_too_large_is_refused_and_counted() {
    var topic = new Topics(new TopicSettings(10, 64 << 10, 1 << 10), metrics.topics()).topic("t");
    assertThat(topic.publish("x".repeat(512)).await()).endsWith("-1");
    assertThatThrownBy(() -> topic.publish("x".repeat(513)))
        .hasMessage("topic.message-size: a message of 1026 bytes is above 1024")
        .extracting(failure -> ((TopicRefusal) failure).status())
        .isEqualTo(413);
    assertThat(metrics.scrape()).contains("roost_topics_refused_total{reason=\"too_big\"} 1.0");
  }

  @Test
  void of_too_many_topics_those_nobody_follows_are_given_up_oldest_first() {
    var topics = topics(10);
    var followed = following(loop, topics.topic("followed"));
    publishEach(topics, Topics.TOPICS_MAX);
    assertThat(metrics.scrape())
        .contains("roost_topics_open 65536.0\n", "roost_topics_evicted_total 1.0\n");
    topics.topic("followed").publish("still here");
    assertThat(followed.take(1)).containsExactly("still here");
  }

  @Test
  void who_comes_back_to_a_topic_that_was_given_up_is_told_of_a_gap() {
    var topics = topics(10);
    var topic = topics.topic("0");
    var seen = topic.publish("gone by then").await();
    publishEach(topics, 2 * Topics.TOPICS_MAX);
    topic.publish("anew");
    assertThat(following(loop, topic, Optional.of(seen)).take(2)).containsExactly("gap", "anew");
  }

  @Test
  void where_every_topic_has_followers_one_more_is_refused() {
    var topics = topics(10);
    on(loop, () -> IntStream.range(0, Topics.TOPICS_MAX).mapToObj(i -> quiet(topics, i)).toList());
    assertThatThrownBy(() -> topics.topic("one more").publish("no"))
        .isInstanceOf(TopicRefusal.class)
        .hasMessage("there are 65536 topics in use already");
    assertThat(metrics.scrape()).contains("roost_topics_refused_total{reason=\"too_many\"} 1.0");
  }

  @Test
  void all_histories_together_take_an_eighth_of_the_heap_at_most() {
    var topics = new Topics(new TopicSettings(1_024, 1 << 30, 64 << 20), metrics.topics());
    var big = "x".repeat(4 << 20);
    var followed = following(loop, topics.topic("0"));
    var most = Runtime.getRuntime().maxMemory() / 8;
    var rounds = (int) (most / (8 << 20)) * 2;
    IntStream.range(0, rounds).forEach(i -> topics.topic(Integer.toString(i % 3)).publish(big));
    assertThat(metrics.topics().historyGrew(0)).isBetween(8L << 20, most);
    assertThat(followed.take(1).getFirst()).isIn("gap", big);
  }

  private static Object form(List<TopicMessage> messages) {
    return new Object();
  }

  private Topics topics(int historyMax) {
    return new Topics(TopicSettings.remembering(historyMax), metrics.topics());
  }

  private static void publishEach(Topics topics, int count) {
    IntStream.range(0, count).forEach(i -> topics.topic("topic " + i).publish("x"));
  }

  @Test
  void a_follower_that_fails_holds_its_topic_no_longer() throws Exception {
    var log =
        new TopicLog(
            new Ids("t", "run", _ -> true),
            0,
            new TopicSettings(10, 64 << 10, 1 << 10),
            metrics.topics());
    var broken = new Broken(new LinkedBlockingQueue<>());
    on(loop, () -> log.follow(Optional.empty(), broken));
    log.publish("one", () -> 1);
    assertThat(broken.failed().poll(20, TimeUnit.SECONDS)).isEqualTo("one");
    assertThat(on(loop, () -> log.retire(false))).isTrue(); // it has failed by then
  }

  /// A subscriber with a bug.
  private record Broken(BlockingQueue<String> failed) implements Subscriber {
    @Override
    public void messages(Batch batch) {
      failed.add(batch.messages().getFirst().text());
      throw new IllegalStateException("broken");
    }

    @Override
    public void gap(String id) {}
  }

  private Subscription quiet(Topics topics, int name) {
    return topics.topic(Integer.toString(name)).follow(Optional.empty(), new Recorder(loop));
  }

  private static Recorder following(ContextInternal context, Topic topic) {
    return following(context, topic, Optional.empty());
  }

  private static Recorder following(ContextInternal context, Topic topic, Optional<String> id) {
    var recorder = new Recorder(context);
    on(context, () -> recorder.by(topic.follow(id, recorder)));
    return recorder;
  }

  private static <T> T on(ContextInternal context, Supplier<T> action) {
    return Future.<T>future(done -> context.runOnContext(_ -> done.complete(action.get()))).await();
  }

  /// Keeps what it is given, a gap as `gap`.
  private static final class Recorder implements Subscriber {

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final ContextInternal context;
    private Subscription subscription = Subscription.none();
    private volatile Object form = "";
    private boolean ready = true;

    Recorder(ContextInternal context) {
      this.context = context;
    }

    Recorder by(Subscription subscription) {
      this.subscription = subscription;
      return this;
    }

    void ready(boolean now) {
      on(context, () -> ready = now);
      on(
          context,
          () -> {
            subscription.resume();
            return now;
          });
    }

    List<String> received() {
      return List.copyOf(received);
    }

    Object form() {
      return System.identityHashCode(form);
    }

    List<String> take(int count) {
      return Stream.generate(this::next).limit(count).toList();
    }

    private String next() {
      try {
        return Optional.ofNullable(received.poll(20, TimeUnit.SECONDS)).orElse("(nothing)");
      } catch (InterruptedException failure) {
        throw new AssertionError(failure);
      }
    }

    @Override
    public boolean ready() {
      return ready;
    }

    @Override
    public void messages(Batch batch) {
      form = batch.as(FORM);
      batch.messages().forEach(message -> received.add(message.text()));
    }

    @Override
    public void gap(String id) {
      received.add("gap");
    }
  }
}
