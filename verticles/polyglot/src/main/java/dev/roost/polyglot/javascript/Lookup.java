package dev.roost.polyglot.javascript;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/// Names and their values as an object that a script can read but not write.
///
/// @param names all of them
/// @param value of one of them
record Lookup(Supplier<Set<String>> names, Function<String, @Nullable String> value)
    implements ProxyObject {

  static Lookup in(Map<String, String> map) {
    return new Lookup(map::keySet, map::get);
  }

  @Override
  public @Nullable Object getMember(String key) {
    return value.apply(key);
  }

  @Override
  public Object getMemberKeys() {
    return ProxyArray.fromList(List.copyOf(names.get()));
  }

  @Override
  public boolean hasMember(String key) {
    return value.apply(key) != null;
  }

  @Override
  public void putMember(String key, Value changed) {
    throw new UnsupportedOperationException("%s: a request cannot be changed".formatted(key));
  }
}
