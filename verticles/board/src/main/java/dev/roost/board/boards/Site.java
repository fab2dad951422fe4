package dev.roost.board.boards;

import dev.roost.server.settings.StartRefusal;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a site calls itself, and the boards it starts with: `conf/board.yaml`.
///
/// @param title name of the site, 1..60 characters
/// @param subtitle one line about it, up to 160 characters; empty for none
/// @param footer one line beneath every page, up to 200 characters; empty for none
/// @param address `https://host[:port]` that readers use, for canonical links
/// @param boards made at the first start, in this order; later starts change none of them
public record Site(
    String title, String subtitle, String footer, Optional<URI> address, List<BoardEntry> boards) {

  private static final Set<String> KEYS =
      Set.of("title", "subtitle", "footer", "address", "boards");
  private static final Set<String> BOARD_KEYS = Set.of("slug", "title", "description");
  private static final int BOARDS_MAX = 64;

  public Site {
    boards = List.copyOf(boards);
    if (title.isBlank() || title.length() > 60) {
      throw new IllegalArgumentException("title must be a text of 1 to 60 characters");
    }
    if (subtitle.length() > 160 || footer.length() > 200) {
      throw new IllegalArgumentException("subtitle and footer: at most 160 and 200 characters");
    }
  }

  /// A site without a settings file.
  public static Site standard() {
    return new Site("Roost", "", "", Optional.empty(), List.of());
  }

  /// Reads the settings file. Blocks: for the start, or a worker.
  ///
  /// @throws StartRefusal with the line and what is allowed there
  public static Site read(Path file) {
    try {
      return of(StrictYaml.read(file.toString(), 0, Files.readString(file), KEYS));
    } catch (MalformedYaml malformed) {
      throw new StartRefusal(StartRefusal.Stage.SETTINGS, malformed.getMessage());
    } catch (IOException unreadable) {
      var message = "%s: cannot be read as a UTF-8 text file".formatted(file);
      throw new StartRefusal(StartRefusal.Stage.SETTINGS, message);
    }
  }

  private static Site of(StrictYaml yaml) {
    return new Site(
        bounded(yaml, "title", 1, 60),
        bounded(yaml, "subtitle", 0, 160),
        bounded(yaml, "footer", 0, 200),
        yaml.text("address").map(text -> address(yaml, text)),
        boards(yaml));
  }

  private static String bounded(StrictYaml yaml, String key, int min, int max) {
    var text = min > 0 ? yaml.requiredText(key) : yaml.text(key).orElse("");
    if (text.length() < min || text.length() > max) {
      throw yaml.refused(key, "a text of %d to %d characters".formatted(min, max));
    }
    return text;
  }

  private static URI address(StrictYaml yaml, String text) {
    if (!text.matches("https?://[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?")) {
      throw yaml.refused("address", "https://host or https://host:port, without a path");
    }
    return URI.create(text);
  }

  private static List<BoardEntry> boards(StrictYaml yaml) {
    var entries = yaml.mappings("boards", BOARD_KEYS).stream().map(Site::board).toList();
    var slugs = new HashSet<Slug>();
    for (var entry : entries) {
      if (!slugs.add(entry.slug())) {
        throw yaml.refused("boards", "a list of boards, none twice; " + entry.slug() + " is");
      }
    }
    if (entries.size() > BOARDS_MAX) {
      throw yaml.refused("boards", "a list of at most %d boards".formatted(BOARDS_MAX));
    }
    return entries;
  }

  private static BoardEntry board(StrictYaml yaml) {
    var slug = yaml.requiredText("slug");
    if (!Slug.isSlug(slug)) {
      throw yaml.refused("slug", Slug.ALLOWED);
    }
    return new BoardEntry(
        new Slug(slug), bounded(yaml, "title", 1, 60), bounded(yaml, "description", 0, 200));
  }
}
