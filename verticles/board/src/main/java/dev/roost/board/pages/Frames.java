package dev.roost.board.pages;

import dev.roost.board.boards.BoardSummary;
import dev.roost.board.boards.Site;
import dev.roost.board.pages.Frame.Head;
import java.time.Clock;
import java.util.List;

/// Puts the same frame around every page. Immutable.
record Frames(Site site, StaticFiles files, Clock clock) {
  Frame around(Head head, List<BoardSummary> boards) {
    return new Frame(site, files, boards, head, clock.instant());
  }
}
