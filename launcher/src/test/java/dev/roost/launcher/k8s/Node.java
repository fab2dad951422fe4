package dev.roost.launcher.k8s;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A place in a YAML document, present or not. Immutable.
record Node(@Nullable Object value) {

  /// The place below, by names of keys.
  Node at(String... path) {
    @Nullable Object here = value;
    for (var name : path) {
      here = here instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return new Node(here);
  }

  /// The entries of a list; none where there is no list.
  List<Node> items() {
    return value instanceof List<?> list ? list.stream().map(Node::new).toList() : List.of();
  }

  /// The item whose `name` this is.
  Node named(String name) {
    return items().stream()
        .filter(item -> item.at("name").text().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing is named %s in %s".formatted(name, value)));
  }

  /// Its text; empty where nothing is.
  String text() {
    return Optional.ofNullable(value).map(Object::toString).orElse("");
  }

  int number() {
    return Integer.parseInt(text());
  }

  boolean isAbsent() {
    return value == null;
  }
}
