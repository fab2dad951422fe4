package dev.roost.board.posts;

import dev.roost.board.boards.MalformedYaml;
import dev.roost.board.boards.Slug;
import dev.roost.board.boards.StrictYaml;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;

/// A Markdown file with front matter, read.
///
/// @param name of the file, which is who it is: the same name again is the same post
/// @param published midnight in UTC where the front matter names only a day
/// @param tags up to [#TAGS_MAX], none twice
/// @param markdown what stands after the front matter
record PostFile(
    String name, String title, Slug board, List<Slug> tags, Instant published, String markdown) {
  /// Longest title, in UTF-16 characters.
  static final int TITLE_CHARS_MAX = 160;

  /// Most tags of one post.
  static final int TAGS_MAX = 8;

  private static final Set<String> KEYS = Set.of("title", "board", "tags", "date");
  private static final String FENCE = "---";
  private static final String DATES = "a day as 2026-11-30, or a time as 2026-11-30T18:05:00+09:00";

  PostFile {
    tags = List.copyOf(tags);
  }

  /// Reads the text of a file.
  ///
  /// @throws MalformedYaml naming the file, the line and what is allowed there
  static PostFile parse(String name, String text) {
    var lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().stripTrailing().equals(FENCE)) {
      throw new MalformedYaml(name, 1, "the file must start with a line of --- and front matter");
    }
    var end = 1;
    while (end < lines.size() && !lines.get(end).stripTrailing().equals(FENCE)) {
      end++;
    }
    if (end == lines.size()) {
      throw new MalformedYaml(name, 1, "the front matter has no end: a second line of --- is due");
    }
    var matter = String.join("\n", lines.subList(1, end));
    var body = String.join("\n", lines.subList(end + 1, lines.size())).strip();
    return of(name, StrictYaml.read(name, 1, matter, KEYS), body);
  }

  private static PostFile of(String name, StrictYaml matter, String body) {
    var title = matter.requiredText("title");
    if (title.isEmpty() || title.length() > TITLE_CHARS_MAX) {
      throw matter.refused("title", "a text of 1 to %d characters".formatted(TITLE_CHARS_MAX));
    }
    var board = slug(matter, "board", matter.requiredText("board"));
    return new PostFile(name, title, board, tags(matter), date(matter), body);
  }

  private static List<Slug> tags(StrictYaml matter) {
    var tags = matter.texts("tags").stream().map(tag -> slug(matter, "tags", tag)).toList();
    if (tags.size() > TAGS_MAX || Set.copyOf(tags).size() < tags.size()) {
      throw matter.refused("tags", "a list of at most %d tags, none twice".formatted(TAGS_MAX));
    }
    return tags;
  }

  private static Slug slug(StrictYaml matter, String key, String text) {
    if (!Slug.isSlug(text)) {
      throw matter.refused(key, Slug.ALLOWED);
    }
    return new Slug(text);
  }

  private static Instant date(StrictYaml matter) {
    var text = matter.requiredText("date");
    try {
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException _) {
      throw matter.refused("date", DATES);
    }
  }
}
