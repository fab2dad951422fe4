package dev.roost.polyglot;

import dev.roost.polyglot.javascript.JavaScript;
import dev.roost.server.http.RouteSource;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Routes written as a script; the extension of the file says in which language.
public final class Scripts {

  private static final String KNOWN = ".js, .mjs";

  private Scripts() {}

  /// The routes of `file`, each instance with a copy of the script of its own. Reads the file and
  /// starts the language's engine, so it is not for an event loop. All instances run the text that
  /// was read here.
  ///
  /// @throws StartRefusal if the language is not known or not installed, or the file cannot be read
  public static RouteSource source(Path file) {
    var name = file.getFileName().toString();
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "js", "mjs" -> JavaScript.source(name, read(file));
      default -> throw refusal("%s: not a known kind of script; known: %s".formatted(file, KNOWN));
    };
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException _) {
      throw refusal("%s: no such file".formatted(file));
    } catch (CharacterCodingException _) {
      throw refusal("%s: is not a text in UTF-8".formatted(file));
    } catch (IOException failure) {
      throw refusal("%s: cannot be read: %s".formatted(file, failure.getMessage()));
    }
  }

  private static StartRefusal refusal(String message) {
    return new StartRefusal(Stage.APPLICATION, message);
  }
}
