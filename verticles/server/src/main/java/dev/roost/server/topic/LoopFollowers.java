package dev.roost.server.topic;

import io.vertx.core.internal.ContextInternal;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// One topic's followers on one event loop. However many messages are published, at most one task
/// of it waits in the loop's queue: it serves a part of the followers one batch each, then lets
/// others have the loop. Confined to its loop, except [#wake()].
final class LoopFollowers {

  private static final Logger LOG = System.getLogger(LoopFollowers.class.getName());

  /// Followers served in one turn: at 10 µs for each, about 1 ms.
  private static final int TURN_MAX = 128;

  /// Batches that are shared; followers are mostly all at one place.
  private static final int SHARED_MAX = 16;

  private final TopicLog log;
  private final ContextInternal loop;
  private final Set<Follower> followers = new LinkedHashSet<>();

  /// Those who have something to come, each once.
  private final Queue<Follower> due = new ArrayDeque<>();

  private final Map<Long, Optional<Batch>> shared = new HashMap<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private long seen;

  LoopFollowers(TopicLog log, ContextInternal loop) {
    this.log = log;
    this.loop = loop;
    this.seen = log.newest();
  }

  /// From any thread.
  void wake() {
    if (scheduled.compareAndSet(false, true)) {
      loop.runOnContext(_ -> turn());
    }
  }

  Subscription add(Follower follower) {
    followers.add(follower);
    wake(follower);
    return new Subscription() {
      @Override
      public void resume() {
        if (follower.release()) {
          wake(follower);
        }
      }

      @Override
      public void cancel() {
        leave(follower);
      }
    };
  }

  /// Or beyond it: other processes may have messages that are still to come here.
  boolean atEnd(long place) {
    return place >= log.newest();
  }

  /// The messages after that place, made once for all who are there.
  Optional<Batch> after(long place) {
    if (shared.size() >= SHARED_MAX) {
      shared.clear();
    }
    return shared.computeIfAbsent(place, log::after);
  }

  long gap() {
    return log.gap();
  }

  String id(long place) {
    return log.id(place);
  }

  private void wake(Follower follower) {
    queue(follower);
    wake();
  }

  private void queue(Follower follower) {
    if (follower.due(true)) {
      due.add(follower);
    }
  }

  private void turn() {
    scheduled.set(false);
    var newest = log.newest();
    if (newest != seen) {
      seen = newest;
      followers.forEach(this::queue);
    }
    for (var served = 0; served < TURN_MAX && !due.isEmpty(); served++) {
      serve(due.remove());
    }
    if (due.isEmpty()) {
      shared.clear();
    } else {
      wake();
    }
  }

  private void serve(Follower follower) {
    follower.due(false);
    try {
      if (follower.deliver(this)) {
        queue(follower);
      }
    } catch (RuntimeException failure) { // it must not keep the others from their messages
      LOG.log(Level.ERROR, "a follower of a topic failed, and gets no more", failure);
      leave(follower);
    }
  }

  private void leave(Follower follower) {
    if (follower.cancel()) {
      followers.remove(follower);
      log.leave(loop, followers.isEmpty());
    }
  }
}
