package dev.roost.gate.client;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps a few different causes of trouble for the human; the counts are elsewhere. Thread-safe.
final class Causes {
  /// Most causes kept: ten thousand connections usually fail for one or two reasons.
  private static final int CAUSES_MAX = 5;

  private final Set<String> causes = ConcurrentHashMap.newKeySet();

  void note(Throwable cause) {
    if (causes.size() < CAUSES_MAX) {
      causes.add(cause.toString());
    }
  }

  List<String> seen() {
    return causes.stream().sorted().toList();
  }
}
