package dev.roost.server.relay;

import dev.roost.server.link.Arrival;
import dev.roost.server.link.Frame;
import dev.roost.server.link.Link;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.settings.TopicSettings;
import dev.roost.server.topic.Batch;
import dev.roost.server.topic.Subscriber;
import dev.roost.server.topic.Topics;
import io.netty.channel.EventLoopGroup;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A worker, as far as the relay goes.
final class Member implements Link.Listener, AutoCloseable {
  private final EventLoopGroup loop = Link.newLoop();
  private final Vertx vertx = Vertx.vertx();
  private final ServerMetrics metrics = new ServerMetrics();
  private volatile Optional<LinkedRelay> relay = Optional.empty();
  private Optional<Arrival> arrival = Optional.empty();
  private Optional<Topics> topics = Optional.empty();

  private Member() {}

  static Member at(Path file, TopicSettings settings) throws Exception {
    var member = new Member();
    var arrival = Arrival.at(file, member.loop, member).get(20, TimeUnit.SECONDS);
    var relay = new LinkedRelay(arrival.link());
    member.arrival = Optional.of(arrival);
    member.relay = Optional.of(relay);
    var topics = new Topics(settings, member.metrics.topics(), relay.order());
    member.topics = Optional.of(topics);
    topics.begin().await(20, TimeUnit.SECONDS);
    return member;
  }

  Relay relay() {
    return relay.orElseThrow();
  }

  /// @return the id
  String publish(String topic, String text) throws Exception {
    return publishing(topic, text).await(20, TimeUnit.SECONDS);
  }

  Future<String> publishing(String topic, String text) {
    return topics.orElseThrow().topic(topic).publish(text);
  }

  /// What comes on a topic from now on; a gap as `gap`.
  BlockingQueue<String> follow(String topic) {
    return follow(topic, Optional.empty());
  }

  /// What comes on a topic after that id.
  BlockingQueue<String> follow(String topic, Optional<String> id) {
    var received = new LinkedBlockingQueue<String>();
    Future.future(
            done ->
                vertx.runOnContext(
                    _ -> {
                      var subscriber = new Recorder(received);
                      done.complete(topics.orElseThrow().topic(topic).follow(id, subscriber));
                    }))
        .await();
    return received;
  }

  /// Reads nothing of its link until that.
  void sleepUntil(CountDownLatch awake) {
    loop.next()
        .execute(
            () -> {
              try {
                awake.await(20, TimeUnit.SECONDS);
              } catch (InterruptedException failure) {
                throw new IllegalStateException(failure);
              }
            });
  }

  /// Publishes amid a sleep, in which it reads nothing of its link.
  ///
  /// @param amid when it publishes
  /// @param awake when it reads again
  Future<String> publishAsleep(CountDownLatch amid, CountDownLatch awake, String text) {
    return Future.future(
        done -> {
          sleepUntil(amid);
          loop.next().execute(() -> publishing("news", text).onComplete(done));
          sleepUntil(awake);
        });
  }

  /// As a process that is killed.
  @Override
  public void close() throws IOException {
    if (loop.isShuttingDown()) {
      return;
    }
    arrival.ifPresent(here -> here.link().close().join());
    if (arrival.isPresent()) {
      arrival.get().socket().close();
    }
    var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    vertx.close().await();
    metrics.close();
  }

  @Override
  public void received(Frame frame) {
    relay.ifPresent(to -> to.received(frame));
  }

  @Override
  public void closed() {
    relay.ifPresent(LinkedRelay::closed);
  }

  private record Recorder(BlockingQueue<String> received) implements Subscriber {
    @Override
    public void messages(Batch batch) {
      batch.messages().forEach(message -> received.add(message.text()));
    }

    @Override
    public void gap(String id) {
      received.add("gap");
    }
  }
}
