package dev.roost.server.body;

import dev.roost.testkit.RawConnection;
import dev.roost.testkit.TestServer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;

/// A POST whose body has come in part, and the ways in which its client may leave.
enum HalfRequest {
  FIN {
    @Override
    Client send(TestServer server, Sent sent) {
      return http1(server, sent, client -> client.end(RawConnection.Ending.FIN));
    }
  },
  CLOSE_NOTIFY {
    @Override
    Client send(TestServer server, Sent sent) {
      return http1(server, sent, client -> client.end(RawConnection.Ending.BOTH));
    }
  },
  RESET {
    @Override
    Client send(TestServer server, Sent sent) {
      return http1(server, sent, RawConnection::reset);
    }
  },
  HTTP2_RST_STREAM {
    @Override
    Client send(TestServer server, Sent sent) {
      return http2(server, sent, request -> request.reset());
    }
  },
  HTTP2_FIN {
    @Override
    Client send(TestServer server, Sent sent) {
      return http2(server, sent, request -> request.connection().close());
    }
  };

  /// @param type of the content
  /// @param body what comes of it
  record Sent(String path, String type, String body) {}

  /// A client that has sent half of its request.
  interface Client extends AutoCloseable {
    void leave();

    @Override
    void close();
  }

  private interface Leaving<T> {
    void leave(T client);
  }

  /// As the metrics call it.
  String protocol() {
    return name().startsWith("HTTP2") ? "http2" : "http1";
  }

  /// Sends half of it.
  abstract Client send(TestServer server, Sent sent);

  private static Client http1(TestServer server, Sent sent, Leaving<RawConnection> leaving) {
    var client = RawConnection.to(server);
    client.send(
        "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: 50000\r\n\r\n%s"
            .formatted(sent.path(), sent.type(), sent.body()));
    return client(() -> leaving.leave(client), client::close);
  }

  private static Client http2(TestServer server, Sent sent, Leaving<HttpClientRequest> leaving) {
    var client = server.vertx().createHttpClient(http2());
    var request = TestServer.await(request(client, server, sent));
    TestServer.await(request.write(Buffer.buffer(sent.body())));
    return client(() -> leaving.leave(request), () -> TestServer.await(client.close()));
  }

  private static Future<HttpClientRequest> request(
      HttpClientAgent client, TestServer server, Sent sent) {
    var to =
        new RequestOptions()
            .setHost("127.0.0.1")
            .setPort(server.port())
            .setURI(sent.path())
            .setMethod(HttpMethod.POST)
            .putHeader("content-type", sent.type());
    return client
        .request(to)
        .compose(request -> quiet(request).setChunked(true).writeHead().map(request));
  }

  /// Vert.x's client logs what nobody listens to, and only the server's log is of interest.
  private static HttpClientRequest quiet(HttpClientRequest request) {
    request.response().onFailure(_ -> {});
    return request.exceptionHandler(_ -> {});
  }

  private static HttpClientOptions http2() {
    return new HttpClientOptions()
        .setSsl(true)
        .setTrustAll(true)
        .setVerifyHost(false)
        .setUseAlpn(true)
        .setProtocolVersion(HttpVersion.HTTP_2);
  }

  private static Client client(Runnable leaving, Runnable closing) {
    return new Client() {
      @Override
      public void leave() {
        leaving.run();
      }

      @Override
      public void close() {
        closing.run();
      }
    };
  }
}
