package dev.roost.server.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/// A HEAD request whose handlers answer as they would answer GET: the length of what they send is
/// told, the body is not sent (RFC 9110, 9.3.2). Vert.x itself sends it on HTTP/2, which breaks the
/// stream. Confined to its event loop.
final class HeadRequest extends HttpServerRequestWrapper {

  private final HttpServerResponse response;

  HeadRequest(HttpServerRequest request) {
    super((HttpServerRequestInternal) request);
    this.response = withoutBody(request.response());
  }

  @Override
  public HttpServerResponse response() {
    return response;
  }

  private static HttpServerResponse withoutBody(HttpServerResponse response) {
    return (HttpServerResponse)
        Proxy.newProxyInstance(
            HeadRequest.class.getClassLoader(),
            new Class<?>[] {HttpServerResponse.class},
            (proxy, method, arguments) -> {
              var body = arguments == null ? null : arguments[0];
              if (body instanceof String || body instanceof Buffer) {
                switch (method.getName()) {
                  case "write", "writeContinue" -> {
                    return Future.succeededFuture();
                  }
                  case "end", "send" -> {
                    return end(response, body);
                  }
                  default -> {}
                }
              }
              var result = invoke(method, response, arguments);
              return response.equals(result) ? proxy : result;
            });
  }

  private static Future<Void> end(HttpServerResponse response, Object body) {
    var headers = response.headers();
    if (!response.headWritten()
        && !response.isChunked()
        && !headers.contains(HttpHeaders.CONTENT_LENGTH)) {
      var bytes = body instanceof Buffer buffer ? buffer : Buffer.buffer(body.toString());
      headers.set(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length()));
    }
    return response.end();
  }

  private static Object invoke(Method method, HttpServerResponse response, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(response, arguments);
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
  }
}
