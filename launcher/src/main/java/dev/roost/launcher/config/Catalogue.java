package dev.roost.launcher.config;

import dev.roost.server.settings.Mode;
import dev.roost.server.settings.ParkSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Every key there is, once. A key stands here only when what it governs works.
///
/// Ranges are those of the records in `dev.roost.server.settings`, which check them again.
public final class Catalogue {
  private static final int KIBI = 1 << 10;
  private static final int MEBI = 1 << 20;
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);

  public static final Key<String> SERVER_HOST =
      new Key<>("server.host", Kind.host(), "::", "address of the HTTPS server; :: is IPv4 too");
  public static final Key<Integer> SERVER_PORT =
      new Key<>("server.port", Kind.whole(0, 65_535), "9443", "its port; 0 takes a free one");
  public static final Key<String> MANAGEMENT_HOST =
      new Key<>(
          "management.host", Kind.host(), "127.0.0.1", "address of /metrics, /livez, /readyz");
  public static final Key<Integer> MANAGEMENT_PORT =
      new Key<>("management.port", Kind.whole(0, 65_535), "9444", "their port; 0 takes a free one");
  public static final Key<Path> DATA_DIR =
      new Key<>("data.dir", Kind.path(), "data", "database, generated certificate; one process's");

  public static final Key<String> PROFILE =
      new Key<>("profile", Kind.profile(), "default", "named values for what nobody set");
  public static final Key<Mode> MODE =
      new Key<>(
          "mode", Kind.oneOf(Mode.class), "reactor", "where handlers run; classic: may block");
  public static final Key<Integer> INSTANCES =
      new Key<>(
          "instances", Kind.instances(1_024), "auto", "event loops that serve; auto: per core");
  public static final Key<Integer> PROCESSES =
      new Key<>(
          "processes",
          Kind.whole(1, 64),
          "1",
          "worker processes; above 1 under a supervisor that replaces them");
  public static final Key<TransportName> TRANSPORT =
      new Key<>("transport", Kind.oneOf(TransportName.class), "auto", "what carries connections");

  public static final Key<Long> HTTP_HEADER_SIZE =
      new Key<>(
          "http.header-size", Kind.size(KIBI, MEBI), "8KiB", "largest request head; then 431");
  public static final Key<Long> HTTP_BODY_SIZE =
      new Key<>(
          "http.body-size", Kind.size(0, 1L << 40), "10MiB", "largest request body; then 413");
  public static final Key<Duration> HTTP_KEEP_ALIVE_TIMEOUT =
      new Key<>(
          "http.keep-alive-timeout",
          Kind.duration(Duration.ofSeconds(1), DAY),
          "60s",
          "an idle connection is closed after so long");
  public static final Key<Duration> HTTP_SEND_TIMEOUT =
      new Key<>(
          "http.send-timeout",
          Kind.duration(Duration.ofMillis(100), HOUR),
          "30s",
          "a client that takes nothing for so long is cut");
  public static final Key<Integer> HTTP_BATCH =
      new Key<>(
          "http.batch",
          Kind.whole(1, 1_024),
          "16",
          "pipelined requests whose answers go out in one write");
  public static final Key<Optional<Integer>> HTTP_YIELD_BATCH =
      new Key<>(
          "http.yield-batch",
          Kind.optionalWhole(1, 1_024),
          "",
          "pipelined requests served before other connections; empty: http.batch");
  public static final Key<Long> HTTP_COALESCE =
      new Key<>(
          "http.coalesce",
          Kind.size(KIBI, 64 * MEBI),
          "256KiB",
          "answers held for that write; then they go out at once");
  public static final Key<Integer> REACTOR_CONTINUATIONS =
      new Key<>(
          "reactor.continuations",
          Kind.whole(1, 1 << 20),
          "8192",
          "requests of one loop awaiting their answer; then the connection is shed");

  public static final Key<Optional<Integer>> REACTOR_CONNECTIONS =
      new Key<>(
          "reactor.connections",
          Kind.optionalWhole(1, 1 << 24),
          "",
          "connections held, then 503; empty: what the open-file limit allows");
  public static final Key<Duration> REACTOR_BLOCKED_AFTER =
      new Key<>(
          "reactor.blocked-after",
          Kind.duration(Duration.ofMillis(50), HOUR),
          "500ms",
          "a handler that holds its loop for so long is named in the log");

  public static final Key<Optional<Path>> TLS_CERT =
      new Key<>("tls.cert", Kind.optionalPath(), "", "PEM chain, leaf first; empty: self-signed");
  public static final Key<Optional<Path>> TLS_KEY =
      new Key<>("tls.key", Kind.optionalPath(), "", "PEM private key (PKCS #8) of tls.cert");

  public static final Key<Duration> TLS_TICKETS_ROTATE =
      new Key<>(
          "tls.tickets.rotate",
          Kind.duration(Duration.ofMinutes(1), Duration.ofDays(7)),
          "12h",
          "one key seals session tickets for so long");
  public static final Key<Integer> TLS_TICKETS_KEEP =
      new Key<>(
          "tls.tickets.keep",
          Kind.whole(1, 16),
          "3",
          "keys that open session tickets; then a full handshake");

  public static final Key<ParkSettings.Kind> TLS_PARK =
      new Key<>(
          "tls.park",
          Kind.oneOf(ParkSettings.Kind.class),
          "engine",
          "what an idle connection keeps");
  public static final Key<Duration> TLS_PARK_AFTER =
      new Key<>(
          "tls.park-after",
          Kind.duration(Duration.ofMillis(100), DAY),
          "1s",
          "a connection is idle when it was silent for so long");
  public static final Key<Duration> TLS_LEAN_AFTER =
      new Key<>(
          "tls.lean-after",
          Kind.duration(Duration.ZERO, DAY),
          "10s",
          "with tls.park: lean, an idle connection keeps two secrets after so long");
  public static final Key<Duration> MEMORY_TRIM_AFTER =
      new Key<>(
          "memory.trim-after",
          Kind.duration(Duration.ZERO, DAY),
          "3s",
          "quiet for so long, the process gives memory back; 0s: never");

  public static final Key<Long> WS_FRAME_SIZE =
      new Key<>("ws.frame-size", Kind.size(125, 1 << 30), "1MiB", "largest frame; then 1009");
  public static final Key<Long> WS_MESSAGE_SIZE =
      new Key<>("ws.message-size", Kind.size(125, 1 << 30), "4MiB", "largest message; then 1009");
  public static final Key<Duration> WS_IDLE_TIMEOUT =
      new Key<>(
          "ws.idle-timeout",
          Kind.duration(Duration.ofMillis(100), DAY),
          "300s",
          "a silent WebSocket is closed after so long");
  public static final Key<Duration> WS_PING =
      new Key<>(
          "ws.ping",
          Kind.duration(Duration.ofMillis(100), HOUR),
          "30s",
          "time between two pings, which also find dead peers");
  public static final Key<Integer> WS_OUTBOX =
      new Key<>(
          "ws.outbox",
          Kind.whole(1, 65_536),
          "256",
          "messages a slow client may leave untaken; then 1013");
  public static final Key<List<String>> WS_ORIGINS =
      new Key<>("ws.origins", Kind.origins(), "same", "whose pages may open a WebSocket; else 403");
  public static final Key<Boolean> WS_COMPRESSION =
      new Key<>("ws.compression", Kind.onOrOff(), "off", "permessage-deflate");

  public static final Key<Duration> SSE_HEARTBEAT =
      new Key<>(
          "sse.heartbeat",
          Kind.duration(Duration.ofMillis(100), HOUR),
          "15s",
          "time between two comments on a silent event stream");
  public static final Key<Integer> SSE_OUTBOX =
      new Key<>(
          "sse.outbox",
          Kind.whole(1, 65_536),
          "256",
          "events a slow client may leave untaken; then the stream is shed");
  public static final Key<Duration> LONG_POLL_TIMEOUT =
      new Key<>(
          "long-poll.timeout",
          Kind.duration(Duration.ofMillis(100), HOUR),
          "25s",
          "a long poll without news answers 204 after so long");
  public static final Key<Integer> TOPIC_HISTORY =
      new Key<>(
          "topic.history", Kind.whole(1, 1 << 20), "1024", "messages a topic keeps; older: a gap");
  public static final Key<Long> TOPIC_HISTORY_SIZE =
      new Key<>(
          "topic.history-size",
          Kind.size(64 * KIBI, 1 << 30),
          "4MiB",
          "what a topic keeps of them; the oldest go first");
  public static final Key<Long> TOPIC_MESSAGE_SIZE =
      new Key<>(
          "topic.message-size",
          Kind.size(KIBI, 64 * MEBI),
          "256KiB",
          "largest message of a topic; then 413");

  public static final Key<Integer> BLOCKING_HANDLERS =
      new Key<>(
          "blocking.handlers",
          Kind.whole(1, 1 << 20),
          "10000",
          "blocking handlers running at once; then 503");
  public static final Key<Integer> BLOCKING_INBOX =
      new Key<>(
          "blocking.inbox",
          Kind.whole(1, 65_536),
          "64",
          "messages a blocking socket holds unread; then its client is slowed");

  public static final Key<Duration> SHUTDOWN_PRE_STOP =
      new Key<>(
          "shutdown.pre-stop",
          Kind.duration(Duration.ZERO, Duration.ofMinutes(10)),
          "0s",
          "still serves for so long after it says that it is not ready");
  public static final Key<Duration> SHUTDOWN_DRAIN_TIMEOUT =
      new Key<>(
          "shutdown.drain-timeout",
          Kind.duration(Duration.ZERO, HOUR),
          "20s",
          "what is in flight gets so long to finish");

  public static final Key<Optional<URI>> TRACING_ENDPOINT =
      new Key<>(
          "tracing.endpoint",
          Kind.optionalUrl(),
          "",
          "OpenTelemetry collector (OTLP over HTTP); empty: off");

  public static final Key<String> BOARD_SITE =
      new Key<>(
          "board.site",
          Kind.shippedOrPath(),
          Kind.SHIPPED,
          "file with the board's name and first boards; shipped: conf/board.yaml");
  public static final Key<String> BOARD_POSTS =
      new Key<>(
          "board.posts",
          Kind.shippedOrPath(),
          Kind.SHIPPED,
          "folder of Markdown posts to import; shipped: conf/posts; none");

  private static final List<Key<?>> KEYS =
      List.of(
          SERVER_HOST,
          SERVER_PORT,
          MANAGEMENT_HOST,
          MANAGEMENT_PORT,
          DATA_DIR,
          PROFILE,
          MODE,
          INSTANCES,
          PROCESSES,
          TRANSPORT,
          HTTP_HEADER_SIZE,
          HTTP_BODY_SIZE,
          HTTP_KEEP_ALIVE_TIMEOUT,
          HTTP_SEND_TIMEOUT,
          HTTP_BATCH,
          HTTP_YIELD_BATCH,
          HTTP_COALESCE,
          REACTOR_CONTINUATIONS,
          REACTOR_CONNECTIONS,
          REACTOR_BLOCKED_AFTER,
          TLS_CERT,
          TLS_KEY,
          TLS_TICKETS_ROTATE,
          TLS_TICKETS_KEEP,
          TLS_PARK,
          TLS_PARK_AFTER,
          TLS_LEAN_AFTER,
          MEMORY_TRIM_AFTER,
          WS_FRAME_SIZE,
          WS_MESSAGE_SIZE,
          WS_IDLE_TIMEOUT,
          WS_PING,
          WS_OUTBOX,
          WS_ORIGINS,
          WS_COMPRESSION,
          SSE_HEARTBEAT,
          SSE_OUTBOX,
          LONG_POLL_TIMEOUT,
          TOPIC_HISTORY,
          TOPIC_HISTORY_SIZE,
          TOPIC_MESSAGE_SIZE,
          BLOCKING_HANDLERS,
          BLOCKING_INBOX,
          SHUTDOWN_PRE_STOP,
          SHUTDOWN_DRAIN_TIMEOUT,
          TRACING_ENDPOINT,
          BOARD_SITE,
          BOARD_POSTS);

  /// Keys of the design that profiles already name, and whose work is still to come.
  private static final Set<String> PLANNED = Set.of();

  private Catalogue() {}

  /// All keys, in the order of the settings file.
  public static List<Key<?>> keys() {
    return KEYS;
  }

  /// The key of that name.
  static Optional<Key<?>> find(String name) {
    return KEYS.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  /// Whether this is a key of the design that this version cannot serve yet.
  public static boolean planned(String name) {
    return PLANNED.contains(name);
  }

  /// Whether keys stand below `name`, as they do below `server`.
  static boolean section(String name) {
    return name.isEmpty() || KEYS.stream().anyMatch(key -> key.name().startsWith(name + "."));
  }
}
