package dev.roost.launcher.config;

import static java.util.Comparator.comparingInt;

import java.util.Collection;
import java.util.Optional;

/// The known key a person most likely meant.
final class Nearest {
  /// One slip of the finger in so many characters is still the same word.
  private static final int CHARACTERS_PER_SLIP = 3;

  private Nearest() {}

  /// @param known what could have been meant; one that ends in `.name` is taken first
  static Optional<String> to(String name, Collection<String> known) {
    var suffix = "." + name;
    return known.stream()
        .filter(candidate -> candidate.endsWith(suffix))
        .findFirst()
        .or(() -> known.stream().min(comparingInt(candidate -> distance(candidate, name))))
        .filter(near -> near.endsWith(suffix) || distance(near, name) <= slips(near));
  }

  private static int slips(String word) {
    return Math.max(1, word.length() / CHARACTERS_PER_SLIP);
  }

  /// Levenshtein distance.
  private static int distance(String from, String to) {
    var row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int above = row[j];
        int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], above) + 1, diagonal + change);
        diagonal = above;
      }
    }
    return row[to.length()];
  }
}
