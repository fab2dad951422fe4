package dev.roost.server.files;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// How a file lies ready compressed beside itself; the better ones first.
enum Encoding {
  BROTLI("br", ".br"),
  ZSTANDARD("zstd", ".zst"),
  GZIP("gzip", ".gz");

  private static final double UNACCEPTABLE = 0;

  private final String coding;
  private final String suffix;

  Encoding(String coding, String suffix) {
    this.coding = coding;
    this.suffix = suffix;
  }

  /// Its name in `Content-Encoding`.
  String coding() {
    return coding;
  }

  /// What the file's name ends in.
  String suffix() {
    return suffix;
  }

  /// Those a client accepts at least as gladly as the plain file, the gladdest first (RFC 9110,
  /// 12.5.3).
  ///
  /// @param accept `Accept-Encoding`, empty where there is none
  static List<Encoding> accepted(String accept) {
    var qualities = qualities(accept);
    var identity = qualities.getOrDefault("identity", UNACCEPTABLE);
    return Arrays.stream(values())
        .filter(encoding -> encoding.quality(qualities) > UNACCEPTABLE)
        .filter(encoding -> encoding.quality(qualities) >= identity)
        .sorted(Comparator.comparingDouble((Encoding e) -> e.quality(qualities)).reversed())
        .toList();
  }

  private double quality(Map<String, Double> qualities) {
    return qualities.getOrDefault(coding, qualities.getOrDefault("*", UNACCEPTABLE));
  }

  private static Map<String, Double> qualities(String accept) {
    var qualities = new HashMap<String, Double>();
    for (var element : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
      var parts = element.split(";", 2);
      qualities.putIfAbsent(parts[0].strip(), parts.length == 1 ? 1 : quality(parts[1].strip()));
    }
    return qualities;
  }

  /// What is no quality counts as none.
  private static double quality(String parameter) {
    return parameter.matches("q=(0(\\.\\d{0,3})?|1(\\.0{0,3})?)")
        ? Double.parseDouble(parameter.substring(2))
        : UNACCEPTABLE;
  }
}
