package dev.roost.launcher.config;

/// A key with the text that won, and where it came from. Checked.
public record Setting(Key<?> key, String text, Source source) {

  /// Whether nobody set it.
  public boolean isBuiltIn() {
    return source.equals(Source.BUILT_IN);
  }
}
