package dev.roost.launcher.deploy;

import dev.roost.launcher.config.Home;
import dev.roost.launcher.deploy.Target.Opener;
import dev.roost.launcher.deploy.Target.Plain;
import dev.roost.launcher.deploy.Target.Routed;
import dev.roost.polyglot.Scripts;
import dev.roost.polyglot.samples.Hello;
import dev.roost.server.http.RouteSet;
import dev.roost.server.http.RouteSource;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// Finds what a name on the command line means: a built-in, a script, or a class.
final class Targets {
  /// Languages a file may be written in; which of them this build can run, `Scripts` tells.
  private static final Pattern SCRIPT =
      Pattern.compile(".+\\.(js|mjs|py|kts?|groovy|rb|wasm|java)");

  private Targets() {}

  /// @throws StartRefusal if the name means nothing here
  static Target named(String name, Home home) {
    return switch (name) {
      case "board" -> new Routed(name, BoardApplication::open);
      case "hello" -> new Routed(name, Opener.of(RouteSource.shared(new Hello())));
      default -> SCRIPT.matcher(name).matches() ? script(name, home) : javaClass(name);
    };
  }

  /// A file of the working directory, else one of the samples.
  private static Target script(String name, Home home) {
    var file = Path.of(name);
    if (!Files.exists(file)) {
      file = home.samples().resolve(name);
    }
    if (!Files.isRegularFile(file)) {
      throw refusal("%s: no such file".formatted(name));
    }
    return new Routed(name, Opener.of(Scripts.source(file)));
  }

  private static Target javaClass(String name) {
    Class<?> type;
    try {
      type = Class.forName(name);
    } catch (ClassNotFoundException | LinkageError _) {
      throw refusal(
          "%s: unknown verticle; neither a built-in (board, hello), nor a script (as hello.js),"
                  .formatted(name)
              + " nor a class on the class path (add yours with CLASSPATH)");
    }
    if (RouteSet.class.isAssignableFrom(type)) {
      // one for each event loop, so that its fields are confined to it
      return new Routed(
          name, Opener.of(_ -> Future.future(p -> p.complete(make(type, RouteSet.class)))));
    }
    if (Deployable.class.isAssignableFrom(type)) {
      return new Plain(name, () -> make(type, Deployable.class));
    }
    throw refusal("%s: is neither a RouteSet nor a verticle".formatted(name));
  }

  private static <T> T make(Class<?> type, Class<T> wanted) {
    try {
      return wanted.cast(type.getDeclaredConstructor().newInstance());
    } catch (NoSuchMethodException | IllegalAccessException | InstantiationException _) {
      throw refusal("%s: has no public constructor without parameters".formatted(type.getName()));
    } catch (java.lang.reflect.InvocationTargetException failure) {
      throw refusal("%s: its constructor failed: %s".formatted(type.getName(), failure.getCause()));
    }
  }

  private static StartRefusal refusal(String message) {
    return new StartRefusal(Stage.APPLICATION, message);
  }
}
