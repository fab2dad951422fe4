package dev.roost.polyglot.javascript;

import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.graalvm.polyglot.Engine;
import org.jspecify.annotations.Nullable;

/// The JavaScript engine of this process, started by the first script and kept. Thread-safe.
final class SharedEngine {

  private static final Logger LOG = System.getLogger(SharedEngine.class.getName());

  private static @Nullable Engine engine;

  private SharedEngine() {}

  /// @throws StartRefusal if the engine is not on the class path
  static synchronized Engine forScript(String name) {
    if (engine == null) {
      engine = start(name);
    }
    return engine;
  }

  private static Engine start(String name) {
    Engine started;
    try {
      // what it would warn of, the line below says
      started = Engine.newBuilder().option("engine.WarnInterpreterOnly", "false").build();
    } catch (IllegalStateException _) { // no language at all on the class path
      throw missing(name);
    }
    if (!started.getLanguages().containsKey("js")) {
      started.close();
      throw missing(name);
    }
    LOG.log(
        Level.INFO,
        started.getImplementationName().startsWith("Interpreted")
            ? "JavaScript by GraalJS, interpreted: Graal's compiler is off"
            : "JavaScript by GraalJS; Graal's compiler is on");
    return started;
  }

  private static StartRefusal missing(String name) {
    return new StartRefusal(
        Stage.APPLICATION,
        "%s: the JavaScript engine is not on the class path; scripts/mvn -DskipTests package puts"
                .formatted(name)
            + " it into verticles/polyglot/target/engines/js, elsewhere add"
            + " org.graalvm.polyglot:js-community to your dependencies");
  }
}
