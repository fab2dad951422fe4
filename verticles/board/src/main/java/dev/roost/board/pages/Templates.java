package dev.roost.board.pages;

import dev.roost.board.boards.BoardSummary;
import dev.roost.board.posts.Post;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;

/// The templates of `src/main/jte`, compiled by the build. Thread-safe.
final class Templates {
  private static final TemplateEngine ENGINE =
      TemplateEngine.createPrecompiled(
          null,
          ContentType.Html,
          Templates.class.getClassLoader(),
          Templates.class.getPackageName());

  private Templates() {}

  static Buffer posts(Frame frame, PostList list) {
    return render("posts.jte", Map.of("frame", frame, "list", list));
  }

  static Buffer boards(Frame frame, List<BoardSummary> boards) {
    return render("boards.jte", Map.of("frame", frame, "boards", boards));
  }

  static Buffer post(Frame frame, Post post) {
    return render("post.jte", Map.of("frame", frame, "post", post));
  }

  static Buffer problem(Frame frame, Problem problem) {
    return render("problem.jte", Map.of("frame", frame, "problem", problem));
  }

  private static Buffer render(String template, Map<String, Object> parameters) {
    var html = new Utf8ByteOutput();
    ENGINE.render(template, parameters, html);
    return Buffer.buffer(html.toByteArray());
  }
}
