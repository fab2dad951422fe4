package dev.roost.polyglot.javascript;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Consumer;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/// One JavaScript context, and the one door through which Java calls into it. Built on a worker,
/// then confined to one event loop: a context lets in one thread at a time.
final class Realm {

  private static final Logger LOG = System.getLogger(Realm.class.getName());

  private static final Source PRELUDE = prelude();

  /// Marked members, nothing more: no class of Java can be looked up, none can be implemented.
  private static final HostAccess MARKED_ONLY =
      HostAccess.newBuilder(HostAccess.NONE)
          .allowAccessAnnotatedBy(HostAccess.Export.class)
          .build();

  private final String script;
  private final Context context;
  private final Value call;
  private final Value encoded;
  private final Value parsed;
  private final Value promise;
  private boolean closed;

  /// @param script its file name, for messages
  Realm(Engine engine, String script) {
    this.script = script;
    this.context =
        Context.newBuilder("js")
            .engine(engine)
            .allowHostAccess(MARKED_ONLY)
            .allowPolyglotAccess(PolyglotAccess.NONE)
            .allowIO(IOAccess.NONE)
            .allowCreateThread(false)
            .option("js.esm-eval-returns-exports", "true")
            .option("js.unhandled-rejections", "handler")
            .option("js.text-encoding", "true")
            .option("js.console", "false")
            .option("js.print", "false")
            .option("js.load", "false")
            .build();
    var prelude = context.eval(PRELUDE).execute(callback(reason -> log(failure(reason))));
    this.call = prelude.getMember("call");
    this.encoded = prelude.getMember("encoded");
    this.parsed = prelude.getMember("parsed");
    this.promise = prelude.getMember("promise");
  }

  /// The file name of the script.
  String script() {
    return script;
  }

  /// Makes `function` a global of the script.
  void global(String name, Object value) {
    context.getBindings("js").putMember(name, value);
  }

  /// Runs the module.
  ///
  /// @return what it exports
  /// @throws PolyglotException if it throws, or is no JavaScript
  Value evaluate(Source module) {
    return context.eval(module);
  }

  /// Calls a handler; one outcome follows, at once or when the promise it returned is settled. What
  /// `done` throws is a failure of the script, too.
  void call(Value handler, Object argument, Consumer<Value> done, Consumer<ScriptFailure> failed) {
    if (closed) {
      return; // the instance has stopped: nobody is left to answer
    }
    try {
      call.executeVoid(
          handler, argument, callback(done), callback(reason -> failed.accept(failure(reason))));
    } catch (PolyglotException thrown) {
      failed.accept(failure(thrown));
    }
  }

  /// Calls a function that nobody waits for; what it throws is logged.
  void run(Value function, Object... arguments) {
    if (closed) {
      return; // the instance has stopped
    }
    try {
      function.executeVoid(arguments);
    } catch (PolyglotException thrown) {
      log(failure(thrown));
    }
  }

  /// A string as it is, everything else as JSON.
  ///
  /// @throws IllegalArgumentException if it is bytes, or JSON does not know such values (a
  ///   function)
  String text(Value value) {
    var text = value.isString() ? value : encoded(value);
    if (!text.isString()) {
      throw new IllegalArgumentException("bytes are no text");
    }
    return text.asString();
  }

  /// The bytes of an `ArrayBuffer` or of a view on one; anything else as JSON.
  ///
  /// @return a buffer, or a string
  /// @throws IllegalArgumentException if JSON does not know such values (a function, say)
  Value encoded(Value value) {
    var given = encoded.execute(value);
    if (given.isNull()) {
      throw new IllegalArgumentException("%s cannot be told as JSON".formatted(shown(value)));
    }
    return given;
  }

  /// `value` for a reader, as the language shows it.
  static String shown(Value value) {
    return value.isString() ? value.asString() : value.toString();
  }

  /// A promise of what `text` says in JSON; if it is none, of an error with `status` 400.
  Value parsed(String text) {
    return parsed.execute(text);
  }

  /// A promise of what `future` gives. The future completes on this realm's event loop.
  Value promise(Future<?> future) {
    ProxyExecutable executor =
        settle -> {
          future.onComplete(
              value -> run(settle[0], value),
              failure -> run(settle[1], String.valueOf(failure.getMessage())));
          return settle[0];
        };
    return promise.execute(executor);
  }

  /// What the script threw, and where.
  ScriptFailure failure(PolyglotException thrown) {
    return ScriptFailure.of(script, thrown);
  }

  /// Tells the operator of a failure that no request answers for.
  void log(ScriptFailure failure) {
    LOG.log(Level.ERROR, "nothing caught " + failure.line(), failure);
  }

  /// Nothing of the script runs any more; doing so twice is harmless.
  void close() {
    closed = true;
    context.close(true);
  }

  private ScriptFailure failure(Value reason) {
    return ScriptFailure.of(script, reason);
  }

  private static ProxyExecutable callback(Consumer<Value> consumer) {
    return arguments -> {
      consumer.accept(arguments[0]);
      return true; // a proxy has to return something; nobody reads it
    };
  }

  private static Source prelude() {
    try (var stream = Realm.class.getResourceAsStream("prelude.js")) {
      var text = new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
      return Source.newBuilder("js", text, "prelude.js").internal(true).buildLiteral();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
