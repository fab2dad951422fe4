package dev.roost.polyglot.javascript;

import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/// `setTimeout`, `setInterval` and their opposites, on the instance's event loop. Confined like the
/// realm; timers that the module sets while it is evaluated on a worker begin with [#start()].
final class Timers {

  /// Most timers of one instance: one for each stream it can hold, and more. Beyond it the script
  /// gets an error.
  private static final int TIMERS_MAX = 131_072;

  private final Vertx vertx;
  private final Realm realm;
  private final Map<Long, Timer> waiting = new LinkedHashMap<>();
  private final Map<Long, Long> running = new HashMap<>();
  private boolean started;
  private long lastId;

  /// @param function called with `arguments` after `millis`, and again if it `repeats`
  private record Timer(Value function, List<Value> arguments, long millis, boolean repeats) {}

  Timers(Vertx vertx, Realm realm) {
    this.vertx = vertx;
    this.realm = realm;
    realm.global("setTimeout", (ProxyExecutable) arguments -> add(arguments, false));
    realm.global("setInterval", (ProxyExecutable) arguments -> add(arguments, true));
    realm.global("clearTimeout", (ProxyExecutable) this::clear);
    realm.global("clearInterval", (ProxyExecutable) this::clear);
  }

  /// Called on the event loop, once the module is evaluated.
  void start() {
    started = true;
    waiting.forEach(this::schedule);
    waiting.clear();
  }

  /// Stops them all.
  void close() {
    waiting.clear();
    running.values().forEach(vertx::cancelTimer);
    running.clear();
  }

  private Object add(Value[] arguments, boolean repeats) {
    if (arguments.length == 0 || !arguments[0].canExecute()) {
      throw new IllegalArgumentException("a timer needs a function");
    }
    if (waiting.size() + running.size() >= TIMERS_MAX) {
      throw new IllegalStateException("there are %d timers already".formatted(TIMERS_MAX));
    }
    var id = ++lastId;
    var rest = Stream.of(arguments).skip(2).toList();
    var timer = new Timer(arguments[0], rest, millis(arguments), repeats);
    if (started) {
      schedule(id, timer);
    } else {
      waiting.put(id, timer);
    }
    return id;
  }

  private void schedule(long id, Timer timer) {
    running.put(
        id,
        timer.repeats()
            ? vertx.setPeriodic(timer.millis(), _ -> fire(timer))
            : vertx.setTimer(
                timer.millis(),
                _ -> {
                  running.remove(id);
                  fire(timer);
                }));
  }

  private void fire(Timer timer) {
    realm.run(timer.function(), timer.arguments().toArray());
  }

  private Object clear(Value[] arguments) {
    if (arguments.length > 0 && arguments[0].fitsInLong()) {
      var id = arguments[0].asLong();
      waiting.remove(id);
      var timer = running.remove(id);
      if (timer != null) {
        vertx.cancelTimer(timer);
      }
    }
    return true;
  }

  /// As in browsers, what is missing or no number is as soon as possible: Vert.x's soonest is 1 ms.
  private static long millis(Value[] arguments) {
    return arguments.length > 1 && arguments[1].fitsInDouble()
        ? Math.max(1, (long) arguments[1].asDouble())
        : 1;
  }
}
