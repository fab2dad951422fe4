package dev.roost.board.posts;

import static dev.roost.testkit.TestServer.await;

import dev.roost.board.boards.Boards;
import dev.roost.board.database.Database;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A database in `folder`, and a folder of posts beside it, for one test.
final class OpenPosts implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final Path folder;
  private final Database database;
  final Boards boards;
  final Posts posts;

  OpenPosts(Path temporary) {
    this.folder = temporary.resolve("posts");
    this.database = await(Database.open(vertx, temporary.resolve("board.db")));
    this.boards = new Boards(database.pool());
    this.posts = new Posts(database.pool());
  }

  /// Writes a post of board `news`.
  OpenPosts with(String name, String title, String date, String text) {
    var matter = "---\ntitle: \"%s\"\nboard: news\ndate: %s\n---\n".formatted(title, date);
    return withFile(name, matter + text);
  }

  OpenPosts withFile(String name, String content) {
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(name), content);
      return this;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Imports the folder as a start does.
  String imported() {
    return await(new PostImport(vertx, database.pool(), boards).run(folder)).toString();
  }

  @Override
  public void close() {
    await(database.close());
    await(vertx.close());
  }
}
