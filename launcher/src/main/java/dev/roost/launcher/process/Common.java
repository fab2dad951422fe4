package dev.roost.launcher.process;

import dev.roost.server.link.Frame;
import dev.roost.server.link.FrameKind;
import dev.roost.server.link.Link;
import dev.roost.server.relay.RelayHub;
import dev.roost.server.tls.TicketKeys;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// What the workers have in common by way of the supervisor: the keys of their session tickets, and
/// what they tell each other. Confined to the supervisor's loop.
final class Common {

  private final RelayHub hub;
  private final Set<Link> links = new LinkedHashSet<>();
  private Optional<TicketKeys> keys = Optional.empty();
  private long rotations;

  Common(RelayHub hub) {
    this.hub = hub;
  }

  /// A worker has its socket, and may be told things.
  void came(Link link) {
    links.add(link);
    hub.came(link);
    keys.ifPresent(current -> link.send(frame(current)));
  }

  /// It says something to all.
  void said(Link link, Frame frame) {
    hub.received(link, frame);
  }

  /// It takes more than it did.
  void drained(Link link) {
    hub.drained(link);
  }

  /// It says no more.
  void left(Link link) {
    links.remove(link);
    hub.left(link);
  }

  /// Tells all of other ticket keys.
  void use(TicketKeys next) {
    keys.ifPresent(TicketKeys::wipe);
    keys = Optional.of(next);
    links.forEach(link -> link.send(frame(next)));
  }

  /// There is a new ticket key because one was old.
  void rotated() {
    rotations++;
  }

  /// In Prometheus' text format.
  String metrics() {
    return """
        # HELP roost_tls_ticket_keys_rotated_total New session ticket keys, made as one was old
        # TYPE roost_tls_ticket_keys_rotated_total counter
        roost_tls_ticket_keys_rotated_total %d
        # HELP roost_relay_history_bytes What the supervisor keeps of topics for workers to come
        # TYPE roost_relay_history_bytes gauge
        roost_relay_history_bytes %d
        # HELP roost_relay_notes_lost_total Notes to all workers that one did not get as it was slow
        # TYPE roost_relay_notes_lost_total counter
        roost_relay_notes_lost_total %d
        """
        .formatted(rotations, hub.historyBytes(), hub.notesLost());
  }

  private static Frame frame(TicketKeys keys) {
    return new Frame(FrameKind.TICKET_KEYS, Buffer.buffer(keys.encoded()));
  }
}
