package dev.roost.polyglot.javascript;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;

/// The script's `console`: what it says goes to the log, under the script's name. Immutable.
final class Console {

  private Console() {}

  static void in(Realm realm) {
    var log = System.getLogger(realm.script());
    realm.global(
        "console",
        ProxyObject.fromMap(
            Map.of(
                "debug", at(Level.DEBUG, log),
                "log", at(Level.INFO, log),
                "info", at(Level.INFO, log),
                "warn", at(Level.WARNING, log),
                "error", at(Level.ERROR, log))));
  }

  private static ProxyExecutable at(Level level, Logger log) {
    return arguments -> {
      // never as a pattern: braces in it are the script's
      log.log(
          level,
          () -> Arrays.stream(arguments).map(Console::told).collect(Collectors.joining(" ")));
      return true;
    };
  }

  /// An error with its stack, anything else as the language shows it.
  private static String told(Value value) {
    if (value.isException() && value.hasMember("stack")) {
      return value.getMember("stack").toString();
    }
    return Realm.shown(value);
  }
}
