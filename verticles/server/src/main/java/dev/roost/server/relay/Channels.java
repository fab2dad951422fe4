package dev.roost.server.relay;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// Who hears what in this process. Thread-safe.
final class Channels {

  private static final Logger LOG = System.getLogger(Channels.class.getName());

  private final ConcurrentMap<String, List<Relay.Listener>> listeners = new ConcurrentHashMap<>();

  void add(String channel, Relay.Listener listener) {
    listeners.computeIfAbsent(channel, _ -> new CopyOnWriteArrayList<>()).add(listener);
  }

  void heard(Note note) {
    tell(listeners.getOrDefault(note.channel(), List.of()), to -> to.heard(note.text()));
  }

  void lost() {
    listeners.values().forEach(all -> tell(all, Relay.Listener::lost));
  }

  private static void tell(List<Relay.Listener> all, Consumer<Relay.Listener> what) {
    for (var listener : all) {
      try {
        what.accept(listener);
      } catch (RuntimeException failure) { // it must not keep the others from it
        LOG.log(Level.ERROR, "a listener of the relay failed", failure);
      }
    }
  }
}
