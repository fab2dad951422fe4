package dev.roost.board.posts;

import dev.roost.board.boards.BoardEntry;
import dev.roost.board.boards.Boards;
import dev.roost.board.posts.PostFolder.Reading;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Objects;

/// Brings a folder of Markdown files into the board: new files become posts, changed files change
/// theirs, a file that is gone leaves its post. Thread-safe.
public final class PostImport {
  private static final System.Logger LOG = System.getLogger(PostImport.class.getName());

  private final Vertx vertx;
  private final Boards boards;
  private final ImportedFiles imported;

  public PostImport(Vertx vertx, Pool pool, Boards boards) {
    this.vertx = vertx;
    this.boards = boards;
    this.imported = new ImportedFiles(pool);
  }

  /// Imports `folder`. A file that cannot be read is named in the log and left out.
  ///
  /// @return what became of the files; fails if the folder cannot be read, and then nothing changed
  public Future<Outcome> run(Path folder) {
    return imported
        .digests()
        .compose(known -> vertx.executeBlocking(() -> new PostFolder(folder).read(known)))
        .compose(reading -> store(Objects.requireNonNull(reading)))
        .onSuccess(outcome -> LOG.log(Level.INFO, outcome.toString()));
  }

  private Future<Outcome> store(Reading reading) {
    reading.complaints().forEach(complaint -> LOG.log(Level.WARNING, "post skipped: " + complaint));
    var named =
        reading.files().stream().map(f -> f.post().board()).distinct().map(BoardEntry::named);
    return boards
        .addMissing(named.toList())
        .compose(_ -> imported.store(reading.files()))
        .map(
            _ ->
                new Outcome(
                    reading.files().size(), reading.unchanged(), reading.complaints().size()));
  }

  /// How many files were imported, had been before, and were left out.
  public record Outcome(int imported, int unchanged, int skipped) {
    @Override
    public String toString() {
      return "posts: %d imported, %d unchanged, %d skipped".formatted(imported, unchanged, skipped);
    }
  }
}
