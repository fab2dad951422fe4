package dev.roost.board;

import dev.roost.board.boards.Site;
import dev.roost.board.database.Share;
import java.nio.file.Path;
import java.util.Optional;

/// What a board needs to open.
///
/// @param site what it calls itself, and its first boards
/// @param database the SQLite file; made if it is missing
/// @param webroot folder of the static files; must hold `roost.css`
/// @param posts folder of Markdown files to import at every start
/// @param share which of the processes on the database this is
public record BoardSettings(
    Site site, Path database, Path webroot, Optional<Path> posts, Share share) {

  /// Those of the only process on the database.
  public BoardSettings(Site site, Path database, Path webroot, Optional<Path> posts) {
    this(site, database, webroot, posts, Share.ALONE);
  }
}
