package dev.roost.server.websocket;

/// Serves one WebSocket, waiting as it likes.
@FunctionalInterface
public interface BlockingSocketHandler {

  /// Runs on a virtual thread that belongs to this socket alone; the socket closes when it returns.
  ///
  /// @throws Exception closes the socket with 1011 and is logged
  void handle(BlockingSocket socket) throws Exception;
}
