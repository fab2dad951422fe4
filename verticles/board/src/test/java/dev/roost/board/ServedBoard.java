package dev.roost.board;

import static dev.roost.testkit.TestServer.await;

import dev.roost.board.boards.Site;
import dev.roost.testkit.TestServer;
import io.vertx.core.Vertx;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;

/// The board with the settings, posts and static files that ship, served for a test. Thread-safe.
public final class ServedBoard implements AutoCloseable {
  /// The project's folder, seen from the module's.
  public static final Path ROOT = Path.of("../..");

  private final Vertx vertx = Vertx.vertx();
  private final Board board;
  private final TestServer server;

  /// @param temporary folder for the database
  public ServedBoard(Path temporary) {
    var site = Site.read(ROOT.resolve("conf/board.yaml"));
    var posts = Optional.of(ROOT.resolve("conf/posts"));
    var settings =
        new BoardSettings(site, temporary.resolve("board.db"), ROOT.resolve("webroot"), posts);
    this.board = await(Board.open(vertx, settings));
    this.server = TestServer.serving(board.routes());
  }

  public TestServer server() {
    return server;
  }

  /// The board itself, to be closed under the feet of its routes.
  public Board board() {
    return board;
  }

  public HttpResponse<String> get(String path) {
    return server.get(path);
  }

  /// GET with one header more.
  public HttpResponse<String> get(String path, String header, String value) {
    return server.send(HttpRequest.newBuilder(server.uri(path)).header(header, value));
  }

  @Override
  public void close() {
    server.close();
    await(board.close());
    await(vertx.close());
  }
}
