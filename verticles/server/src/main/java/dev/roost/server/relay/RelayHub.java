package dev.roost.server.relay;

import dev.roost.server.link.Frame;
import dev.roost.server.link.FrameKind;
import dev.roost.server.link.Link;
import dev.roost.server.settings.TopicSettings;
import dev.roost.server.topic.Topics;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// The supervisor's end: puts in order what the workers say, and tells it to all. Confined to the
/// links' loop, where all is called; it never waits.
public final class RelayHub {

  private final RelayLog log;
  private final String run = Topics.newRun();
  private final Map<Link, Guest> guests = new LinkedHashMap<>();
  private long notesLost;

  /// @param settings bounds of a topic's history
  /// @param bytesMax of all histories together
  public RelayHub(TopicSettings settings, long bytesMax) {
    this.log = new RelayLog(settings, bytesMax);
  }

  /// A worker's link, from its beginning; its notes come from then on.
  public void came(Link link) {
    guests.put(link, new Guest(link));
  }

  /// Handles JOIN, PUBLISH and BROADCAST.
  ///
  /// @throws IllegalArgumentException if it is nothing that a worker says
  public void received(Link link, Frame frame) {
    switch (frame.kind()) {
      case JOIN -> join(guest(link));
      case PUBLISH -> publish(link, frame.body());
      case BROADCAST -> guests.values().forEach(guest -> guest.tell(frame));
      default -> throw new IllegalArgumentException("not for the hub: " + frame.kind());
    }
  }

  /// The link takes more again.
  public void drained(Link link) {
    var guest = guests.get(link);
    if (guest != null) {
      guest.goOn();
    }
  }

  /// The worker has gone; what it said before stays.
  public void left(Link link) {
    guests.remove(link);
  }

  /// Notes that a worker did not get.
  public long notesLost() {
    return notesLost;
  }

  /// What the histories take in memory.
  public long historyBytes() {
    return log.bytes();
  }

  private Guest guest(Link link) {
    return Optional.ofNullable(guests.get(link)).orElseThrow();
  }

  private void join(Guest guest) {
    var body = Buffer.buffer().appendLong(log.newest()).appendLong(log.forgotten());
    body.appendBytes(run.getBytes(StandardCharsets.UTF_8));
    guest.link.send(new Frame(FrameKind.TOPICS, body));
    guest.joined = true;
    guest.goOn();
  }

  private void publish(Link link, Buffer body) {
    var entry = log.append(Post.in(body, Long.BYTES));
    guest(link).requests.put(entry.number(), body.getLong(0));
    guests.values().forEach(Guest::goOn);
  }

  /// One worker, and how far it has been told.
  private final class Guest {
    private final Link link;

    /// What it published and has not been told the number of: at most what it may have pending.
    private final NavigableMap<Long, Long> requests = new TreeMap<>();

    private long place;
    private boolean joined;
    private boolean lost;

    Guest(Link link) {
      this.link = link;
    }

    void goOn() {
      if (lost && link.hasRoom()) {
        lost = !link.send(Frame.of(FrameKind.LOST));
      }
      while (joined && place < log.newest() && link.hasRoom()) {
        var next = log.after(place);
        if (next.isEmpty() || !acknowledge(next.get()) || !link.send(frame(next.get()))) {
          return;
        }
        place = next.get().number();
      }
    }

    /// What it published is not told where it is gone by now; but that it had its place is.
    private boolean acknowledge(RelayLog.Entry next) {
      var told = next.post().isPresent() ? next.number() - 1 : next.number();
      for (var gone = requests.firstEntry();
          gone != null && gone.getKey() <= told;
          gone = requests.firstEntry()) {
        var body = Buffer.buffer().appendLong(gone.getValue()).appendLong(gone.getKey());
        if (!link.send(new Frame(FrameKind.ORDERED, body))) {
          return false;
        }
        requests.remove(gone.getKey());
      }
      return true;
    }

    void tell(Frame note) {
      if (lost || !link.hasRoom() || !link.send(note)) {
        lost = true;
        notesLost++;
      }
    }

    private Frame frame(RelayLog.Entry entry) {
      long request = requests.getOrDefault(entry.number(), 0L);
      requests.remove(entry.number());
      return entry
          .post()
          .map(post -> post.ordered(entry.number(), entry.previous(), request))
          .orElseGet(() -> gone(entry));
    }

    private Frame gone(RelayLog.Entry entry) {
      var body = Buffer.buffer().appendLong(entry.number());
      body.appendBytes(entry.topic().getBytes(StandardCharsets.UTF_8));
      return new Frame(FrameKind.GONE, body);
    }
  }
}
