package dev.roost.server.sse;

import dev.roost.server.topic.TopicMessage;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

/// One server-sent event (WHATWG HTML, 9.2.6).
///
/// @param data may have several lines
/// @param id what a reconnecting client sends as `Last-Event-ID`; one line, no NUL
/// @param name the event's type; empty is `message`; one line
public record Event(String data, Optional<String> id, Optional<String> name) {
  public Event {
    id.ifPresent(value -> requireOneLine("id", value));
    name.ifPresent(value -> requireOneLine("event", value));
  }

  /// An event of the default type without an id.
  public static Event of(String data) {
    return new Event(data, Optional.empty(), Optional.empty());
  }

  /// The event as it stands on the wire, the empty line at its end included.
  String encoded() {
    var wire = new StringBuilder(data.length() + 64);
    appendTo(wire);
    return wire.toString();
  }

  private void appendTo(StringBuilder wire) {
    id.ifPresent(value -> wire.append("id: ").append(value).append('\n'));
    name.ifPresent(value -> wire.append("event: ").append(value).append('\n'));
    appendLines(wire, "data: ", data);
    wire.append('\n');
  }

  /// A topic's messages as they stand on the wire, one event each.
  static Buffer encoded(List<TopicMessage> messages) {
    var wire = new StringBuilder();
    for (var message : messages) {
      new Event(message.text(), Optional.of(message.id()), Optional.empty()).appendTo(wire);
    }
    return Buffer.buffer(wire.toString());
  }

  /// An id alone: the client keeps it as its last event id and dispatches no event.
  static String position(String id) {
    return "id: " + id + "\n\n";
  }

  /// A comment as it stands on the wire; clients ignore it.
  static String comment(String text) {
    var wire = new StringBuilder(text.length() + 4);
    appendLines(wire, ": ", text);
    return wire.append('\n').toString();
  }

  /// CR, LF and CRLF all end a line of the stream, so each starts a field of its own.
  private static void appendLines(StringBuilder wire, String field, String text) {
    text.lines().forEach(line -> wire.append(field).append(line).append('\n'));
    if (text.isEmpty() || text.endsWith("\n") || text.endsWith("\r")) {
      wire.append(field.stripTrailing()).append('\n');
    }
  }

  private static void requireOneLine(String field, String value) {
    if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0 || value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(field + ": a line break or NUL is not allowed");
    }
  }
}
