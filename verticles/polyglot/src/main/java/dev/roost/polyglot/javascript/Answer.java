package dev.roost.polyglot.javascript;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.graalvm.polyglot.Value;

/// A whole answer as a script gave it: a string, bytes, `{status, headers, body}`, or anything else
/// as JSON.
///
/// @param status 200..599
/// @param headers as the script named them, and `content-type` where it did not
/// @param body may be empty
record Answer(int status, MultiMap headers, Buffer body) {

  private static final Set<String> RESPONSE = Set.of("status", "headers", "body");

  /// They frame the message, which is the server's business.
  private static final Set<String> FRAMING =
      Set.of("content-length", "transfer-encoding", "connection");

  /// @throws IllegalArgumentException if the script's answer cannot be one
  static Answer of(Value value, Realm realm) {
    if (!isResponse(value)) {
      return of(200, HttpHeaders.headers(), Optional.of(value), realm);
    }
    var status = value.getMember("status").asInt();
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("status: %d is not in 200..599".formatted(status));
    }
    return of(status, headers(value), member(value, "body"), realm);
  }

  void sendTo(RoutingContext request) {
    var response = request.response().setStatusCode(status);
    headers.names().forEach(name -> response.putHeader(name, headers.getAll(name)));
    request.end(body); // its failure means that the client is gone
  }

  /// Only what has a `status` that is a number, and nothing a response does not have, is one:
  /// everything else is somebody's JSON.
  private static boolean isResponse(Value value) {
    return value.hasMembers()
        && member(value, "status").filter(Value::fitsInInt).isPresent()
        && RESPONSE.containsAll(value.getMemberKeys());
  }

  private static Answer of(int status, MultiMap headers, Optional<Value> body, Realm realm) {
    if (body.isEmpty()) {
      return new Answer(status, headers, Buffer.buffer());
    }
    var value = body.get();
    if (value.isString()) {
      return typed(status, headers, "text/plain; charset=utf-8", Buffer.buffer(value.asString()));
    }
    var encoded = realm.encoded(value);
    return encoded.isString()
        ? typed(status, headers, "application/json", Buffer.buffer(encoded.asString()))
        : typed(status, headers, "application/octet-stream", bytes(encoded));
  }

  private static Answer typed(int status, MultiMap headers, String type, Buffer body) {
    if (!headers.contains("content-type")) {
      headers.set("content-type", type);
    }
    return new Answer(status, headers, body);
  }

  private static Buffer bytes(Value value) {
    var bytes = new byte[Math.toIntExact(value.getBufferSize())];
    value.readBuffer(0, bytes, 0, bytes.length);
    return Buffer.buffer(bytes);
  }

  private static MultiMap headers(Value response) {
    var headers = HttpHeaders.headers(); // refuses what would break out of a header's line
    member(response, "headers")
        .ifPresent(given -> given.getMemberKeys().forEach(name -> add(headers, name, given)));
    return headers;
  }

  private static void add(MultiMap headers, String name, Value given) {
    if (FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException("headers: %s is the server's to set".formatted(name));
    }
    var value = given.getMember(name);
    if (value.hasArrayElements()) {
      for (var i = 0L; i < value.getArraySize(); i++) {
        headers.add(name, Realm.shown(value.getArrayElement(i)));
      }
    } else {
      headers.add(name, Realm.shown(value));
    }
  }

  private static Optional<Value> member(Value value, String name) {
    return Optional.ofNullable(value.getMember(name)).filter(found -> !found.isNull());
  }
}
