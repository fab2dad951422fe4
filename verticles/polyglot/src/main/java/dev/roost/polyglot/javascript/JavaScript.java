package dev.roost.polyglot.javascript;

import dev.roost.server.http.RouteSource;
import dev.roost.server.settings.StartRefusal;
import java.util.Objects;
import org.graalvm.polyglot.Source;

/// Makes routes of an ES module that exports `routes`.
public final class JavaScript {

  private static final String MODULE = "application/javascript+module";

  private JavaScript() {}

  /// The routes of one script. Each instance gets a context of its own, built off its event loop;
  /// all share one engine, which keeps what it parsed.
  ///
  /// @param name the file's name, for messages
  /// @param text the module
  /// @throws StartRefusal if there is no JavaScript engine on the class path
  public static RouteSource source(String name, String text) {
    var engine = SharedEngine.forScript(name);
    var source = Source.newBuilder("js", text, name).mimeType(MODULE).buildLiteral();
    return vertx ->
        vertx
            .executeBlocking(() -> Script.open(engine, source, vertx), false)
            .map(Objects::requireNonNull);
  }
}
