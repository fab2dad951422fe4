package dev.roost.gate.protocol;

/// Which body is right, in UTF-8.
///
/// @param text the body, or its end
/// @param whole whether `text` is all of it: pages with a time in them are told by their end
public record Expected(String text, boolean whole) {
  /// The body and nothing else.
  public static Expected body(String text) {
    return new Expected(text, true);
  }

  /// Any body that ends so, line ends behind it aside.
  public static Expected end(String text) {
    return new Expected(text, false);
  }
}
