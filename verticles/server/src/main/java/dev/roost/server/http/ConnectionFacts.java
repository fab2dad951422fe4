package dev.roost.server.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/// What is known of the connection a request came on, and cannot be falsified by its headers.
///
/// @param scheme `https` or `http`
/// @param client the peer's address, without the port
/// @param clientPort the peer's port
/// @param server our address, without the port
/// @param serverPort our port
/// @param protocol `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`
/// @param tlsVersion for example `TLSv1.3`; empty without TLS
/// @param serverName what the client asked for by SNI, if it did
public record ConnectionFacts(
    String scheme,
    String client,
    int clientPort,
    String server,
    int serverPort,
    String protocol,
    Optional<String> tlsVersion,
    Optional<String> serverName) {

  /// The facts of the connection of `request`.
  public static ConnectionFacts of(RoutingContext request) {
    var http = request.request();
    var connection = http.connection();
    var client = connection.remoteAddress();
    var server = connection.localAddress();
    return new ConnectionFacts(
        connection.isSsl() ? "https" : "http",
        client.hostAddress(),
        client.port(),
        server.hostAddress(),
        server.port(),
        protocol(http),
        Optional.ofNullable(connection.sslSession()).map(SSLSession::getProtocol),
        Optional.ofNullable(connection.indicatedServerName()).filter(name -> !name.isEmpty()));
  }

  private static String protocol(HttpServerRequest request) {
    return switch (request.version()) {
      case HTTP_1_0 -> "HTTP/1.0";
      case HTTP_1_1 -> "HTTP/1.1";
      case HTTP_2 -> "HTTP/2";
      case HTTP_3 -> "HTTP/3";
    };
  }
}
