package dev.roost.server.topic;

import io.vertx.core.Context;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// One topic's followers on one event loop. However many messages are published, at most one task
/// of it waits in the loop's queue. Confined to its loop, except [#wake()].
final class LoopFollowers {

  /// Messages one follower gets before the next has its turn.
  private static final int TURN_MAX = 64;

  private final TopicLog log;
  private final Context loop;
  private final Set<Follower> followers = new LinkedHashSet<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  LoopFollowers(TopicLog log, Context loop) {
    this.log = log;
    this.loop = loop;
  }

  /// From any thread.
  void wake() {
    if (scheduled.compareAndSet(false, true)) {
      loop.runOnContext(_ -> deliver());
    }
  }

  Subscription add(Follower follower) {
    followers.add(follower);
    wake();
    return () -> {
      follower.cancel();
      followers.remove(follower);
    };
  }

  private void deliver() {
    scheduled.set(false);
    var more = false;
    for (var follower : Set.copyOf(followers)) {
      more |= follower.deliver(log, TURN_MAX);
    }
    if (more) {
      wake();
    }
  }
}
