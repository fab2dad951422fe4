package dev.roost.server.park;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/// How many connections may be awake at once for the heap to carry them, over all loops. What the
/// last full collection left shows what else the heap holds; what a young one leaves does not, it
/// takes along what has just been promoted. Thread-safe.
final class HeapRoom implements AutoCloseable {

  /// Heap of one awake connection amid a request, in bytes: Netty's and Vert.x's objects (8 to 10
  /// KiB, most of it Vert.x's write queue of 1,024 slots) and those of the request.
  private static final int CONNECTION_BYTES = 20_000;

  /// Share of the old generation that may be in use; the rest is for what takes longer to die.
  private static final double SHARE = 0.7;

  /// What else the heap holds, until a full collection has shown it.
  private static final long LIVE_AT_FIRST = 24 << 20;

  /// Connections that may always be awake: with fewer a server is none.
  static final int LEAST = 64;

  /// Time between two collections that are asked for because nobody knows whether there is room.
  private static final long MEASURE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final NotificationListener listener = (notification, _) -> collected(notification);
  private final AtomicInteger awake = new AtomicInteger();
  private final long oldBytesMax = oldBytesMax();
  private final AtomicLong measuredNanos = new AtomicLong(System.nanoTime() - MEASURE_NANOS);
  private volatile int allowed = allowed(LIVE_AT_FIRST, 0);
  private volatile boolean known;

  HeapRoom() {
    emitters().forEach(emitter -> emitter.addNotificationListener(listener, null, null));
  }

  /// A connection was accepted, or woken.
  void entered() {
    awake.incrementAndGet();
  }

  /// It was closed, or parked.
  void left() {
    awake.decrementAndGet();
  }

  /// How many more may be; 0 or less if none.
  int left(int reserve) {
    return allowed - reserve - awake.get();
  }

  /// Whether a full collection has shown, after `nanos`, what there is room for.
  boolean isKnownSince(long nanos) {
    return known && measuredNanos.get() - nanos > 0;
  }

  /// Has a full collection show what there is room for, on a thread of its own: connections that
  /// cannot be parked (streams, sockets) cost less than they are reckoned at, or more. Does nothing
  /// if that was done a moment ago.
  void measure() {
    var before = measuredNanos.get();
    var now = System.nanoTime();
    if (now - before >= MEASURE_NANOS && measuredNanos.compareAndSet(before, now)) {
      known = false;
      var _ = Thread.ofPlatform().daemon().name("roost-heap-room").start(System::gc);
    }
  }

  @Override
  public void close() {
    for (var emitter : emitters()) {
      try {
        emitter.removeNotificationListener(listener);
      } catch (javax.management.ListenerNotFoundException _) {
        // closed twice
      }
    }
  }

  private void collected(Notification notification) {
    if (!notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      return;
    }
    var info = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
    if (info.getGcAction().contains("major")) {
      var heap = heapPools().stream().map(MemoryPoolMXBean::getName).toList();
      var live =
          info.getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
              .filter(pool -> heap.contains(pool.getKey()))
              .mapToLong(pool -> pool.getValue().getUsed())
              .sum();
      allowed = allowed(live, awake.get());
      measuredNanos.set(System.nanoTime());
      known = true;
    }
  }

  private int allowed(long live, int awakeThen) {
    var other = Math.max(0, live - (long) awakeThen * CONNECTION_BYTES);
    var room = (long) (oldBytesMax * SHARE) - other;
    return Math.clamp(room / CONNECTION_BYTES, LEAST, Integer.MAX_VALUE);
  }

  private static long oldBytesMax() {
    return heapPools().stream()
        .filter(pool -> pool.getName().contains("Old") || pool.getName().contains("Tenured"))
        .mapToLong(pool -> pool.getUsage().getMax())
        .filter(max -> max > 0)
        .findFirst()
        .orElseGet(Runtime.getRuntime()::maxMemory);
  }

  private static List<MemoryPoolMXBean> heapPools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }

  private static List<NotificationEmitter> emitters() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(NotificationEmitter.class::isInstance)
        .map((GarbageCollectorMXBean collector) -> (NotificationEmitter) collector)
        .toList();
  }
}
