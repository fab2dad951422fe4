package dev.roost.launcher.config;

import java.util.Locale;

/// One thing that can be set. Immutable.
///
/// @param name as the settings file spells it: `http.header-size`
/// @param kind what it may hold
/// @param builtIn the text that holds where nobody set it
/// @param meaning one line for `vertx config` and the settings file
public record Key<T>(String name, Kind<T> kind, String builtIn, String meaning) {

  /// The environment variable that sets it: `ROOST_HTTP_HEADER_SIZE`.
  public String variable() {
    return Environment.PREFIX + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /// @throws dev.roost.server.settings.StartRefusal if the text is not allowed
  T read(String text, Source source) {
    return kind.reader().apply(text).orElseThrow(() -> Refusals.notAllowed(this, text, source));
  }
}
