package dev.roost.polyglot.javascript;

import dev.roost.server.http.RouteSet;
import dev.roost.server.http.Routes;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.stream.Stream;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/// One instance's copy of a script. Opened on a worker, then confined to the instance's event loop.
final class Script implements RouteSet {

  private final Vertx vertx;
  private final Realm realm;
  private final Timers timers;
  private final Value routes;

  private Script(Vertx vertx, Realm realm, Timers timers, Value routes) {
    this.vertx = vertx;
    this.realm = realm;
    this.timers = timers;
    this.routes = routes;
  }

  /// Evaluates the module in a new context. Takes a while: not for an event loop.
  ///
  /// @throws StartRefusal if the script throws, or exports no routes
  static RouteSet open(Engine engine, Source module, Vertx vertx) {
    var realm = new Realm(engine, module.getName());
    var timers = new Timers(vertx, realm);
    Console.in(realm);
    try {
      return new Script(vertx, realm, timers, routes(realm.evaluate(module), realm));
    } catch (PolyglotException thrown) {
      var refused = refusal(realm.failure(thrown).line());
      realm.close();
      throw refused;
    } catch (StartRefusal refused) {
      realm.close();
      throw refused;
    }
  }

  @Override
  public void mount(Routes target) {
    try {
      if (routes.execute(new ScriptRoutes(realm, target)).canInvokeMember("then")) {
        throw refused(
            "%s: routes is an async function; it must have added its routes when it returns"
                .formatted(realm.script()));
      }
    } catch (PolyglotException thrown) {
      throw refused(realm.failure(thrown).line());
    }
    timers.start();
  }

  /// A turn of the loop later: the server's last stream may be ending right now, and its `onClose`
  /// is still to run.
  @Override
  public Future<Void> close() {
    timers.close();
    var closed = Promise.<Void>promise();
    vertx.runOnContext(
        _ -> {
          realm.close();
          closed.complete();
        });
    return closed.future();
  }

  /// Nobody closes a route set that could not be mounted.
  private StartRefusal refused(String message) {
    realm.close();
    return refusal(message);
  }

  private static Value routes(Value exports, Realm realm) {
    return Stream.of("routes", "default")
        .filter(exports::hasMember)
        .map(exports::getMember)
        .filter(Value::canExecute)
        .findFirst()
        .orElseThrow(
            () ->
                refusal(
                    "%s: exports no routes; it needs: export function routes(r) { … }"
                        .formatted(realm.script())));
  }

  private static StartRefusal refusal(String message) {
    return new StartRefusal(Stage.APPLICATION, message);
  }
}
