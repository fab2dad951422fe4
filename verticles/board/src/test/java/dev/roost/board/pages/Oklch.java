package dev.roost.board.pages;

import java.util.regex.MatchResult;

/// A colour as CSS Color 4 defines `oklch()`, far enough to know how bright it is.
///
/// @param hue in degrees
record Oklch(double lightness, double chroma, double hue) {

  /// @param token groups 2 to 4 are the three numbers
  static Oklch of(MatchResult token) {
    return new Oklch(number(token, 2), number(token, 3), number(token, 4));
  }

  /// Contrast ratio by WCAG 2.2, 1 to 21.
  double contrast(Oklch other) {
    var mine = luminance() + 0.05;
    var theirs = other.luminance() + 0.05;
    return Math.max(mine, theirs) / Math.min(mine, theirs);
  }

  /// Relative luminance, 0 to 1. The matrices are those of Björn Ottosson's Oklab (2020), to linear
  /// sRGB, clipped to its gamut.
  double luminance() {
    var a = chroma * Math.cos(Math.toRadians(hue));
    var b = chroma * Math.sin(Math.toRadians(hue));
    var l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
    var m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
    var s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    var red = Math.clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, 0, 1);
    var green = Math.clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, 0, 1);
    var blue = Math.clamp(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s, 0, 1);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  private static double cube(double root) {
    return root * root * root;
  }

  private static double number(MatchResult token, int group) {
    return Double.parseDouble(token.group(group));
  }
}
