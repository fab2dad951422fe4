package dev.roost.server.exposition;

import java.util.LinkedHashMap;
import java.util.Map;

/// A page of metrics in Prometheus' text format, version 0.0.4. Confined to one thread.
public final class Exposition {

  private static final String HELP = "# HELP ";
  private static final String TYPE = "# TYPE ";

  private final Map<String, Family> families = new LinkedHashMap<>();

  /// Reads a page. Lines that are none of the format are passed over.
  public static Exposition of(String page) {
    var read = new Exposition();
    var help = "";
    var family = new Family("", "untyped", "");
    for (var line : page.lines().toList()) {
      if (line.startsWith(HELP)) {
        help = line.substring(HELP.length());
      } else if (line.startsWith(TYPE)) {
        family = read.family(line.substring(TYPE.length()), help);
      } else if (!line.startsWith("#")) {
        put(family, line);
      }
    }
    return read;
  }

  /// What several have together.
  public static Exposition sum(Iterable<Exposition> pages) {
    var sum = new Exposition();
    pages.forEach(sum::add);
    return sum;
  }

  /// Takes in all that another page has.
  public void add(Exposition other) {
    other.families.forEach((name, family) -> mine(name, family).add(family));
  }

  /// Takes in what outlives the process of another page: its counters and histograms.
  public void addLasting(Exposition other) {
    other.families.forEach(
        (name, family) -> {
          if (family.outlivesItsProcess()) {
            mine(name, family).add(family);
          }
        });
  }

  /// @param series name and labels as they stand on the page
  /// @return 0 if there is none
  public double value(String series) {
    return families.values().stream()
        .mapToDouble(family -> family.series().getOrDefault(series, 0.0))
        .sum();
  }

  /// The page.
  public String text() {
    var page = new StringBuilder();
    families.values().forEach(family -> family.writeTo(page));
    return page.toString();
  }

  private Family mine(String name, Family like) {
    return families.computeIfAbsent(name, _ -> like.empty());
  }

  /// @param line name and type
  /// @param help name and help of the line before, if there was one
  private Family family(String line, String help) {
    int gap = line.indexOf(' ');
    var name = gap < 0 ? line : line.substring(0, gap);
    var text = help.startsWith(name + " ") ? help.substring(name.length() + 1) : "";
    return families.computeIfAbsent(
        name, _ -> new Family(name, gap < 0 ? "untyped" : line.substring(gap + 1), text));
  }

  private static void put(Family family, String line) {
    int gap = line.lastIndexOf(' ');
    if (gap > 0) {
      try {
        family.put(line.substring(0, gap), number(line.substring(gap + 1)));
      } catch (NumberFormatException _) {
        // no line of the format
      }
    }
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
