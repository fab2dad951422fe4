package dev.roost.server.websocket;

import dev.roost.server.http.RouteSet;
import java.io.IOException;

/// Both kinds of socket, sending back what comes.
final class Echo {

  static final RouteSet ROUTES =
      routes ->
          routes
              .wsAsync("/async", socket -> socket.text(socket::send).binary(socket::send))
              .ws("/blocking", Echo::serve);

  private Echo() {}

  static void serve(BlockingSocket socket) throws IOException, InterruptedException {
    for (var message = socket.receive(); message != null; message = socket.receive()) {
      socket.send(message);
    }
  }
}
