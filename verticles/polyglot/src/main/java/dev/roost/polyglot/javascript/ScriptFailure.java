package dev.roost.polyglot.javascript;

import io.vertx.ext.web.handler.HttpException;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.PolyglotException.StackFrame;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;

/// What a script threw and did not catch. The message starts with the place, `hello.js:12: …`, and
/// the stack trace is the script's.
final class ScriptFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// The parser repeats the place in front of its message.
  private static final Pattern PLACE_AGAIN = Pattern.compile("^(SyntaxError: )\\S+:\\d+:\\d+ ");

  private final String line;
  private final int status;

  private ScriptFailure(String line, int status) {
    super(line);
    this.line = line;
    this.status = status;
  }

  /// @param script its file name, where nothing more precise is known
  static ScriptFailure of(String script, PolyglotException thrown) {
    var place =
        place(thrown)
            .map(at -> "%s:%d".formatted(at.getSource().getName(), at.getStartLine()))
            .orElse(script);
    var failure = new ScriptFailure(place + ": " + oneLine(thrown), status(thrown));
    failure.setStackTrace(
        frames(thrown).map(StackFrame::toHostFrame).toArray(StackTraceElement[]::new));
    if (thrown.isHostException()) {
      failure.initCause(thrown.asHostException());
    } else if (!thrown.isGuestException()) {
      failure.initCause(thrown);
    }
    return failure;
  }

  /// @param reason what a promise was rejected with
  static ScriptFailure of(String script, Value reason) {
    if (reason.isException()) {
      try {
        throw reason.throwException();
      } catch (PolyglotException thrown) {
        return of(script, thrown);
      }
    }
    return new ScriptFailure("%s: %s".formatted(script, Realm.shown(reason)), 500);
  }

  /// The place and what was thrown, in one line.
  String line() {
    return line;
  }

  /// The status the client gets: the error's own `status` where it has one in 400..599, else 500.
  int status() {
    return status;
  }

  private static Optional<SourceSection> place(PolyglotException thrown) {
    return Optional.ofNullable(thrown.getSourceLocation())
        .filter(at -> !at.getSource().isInternal())
        .or(() -> frames(thrown).map(StackFrame::getSourceLocation).findFirst());
  }

  /// The frames that stand in a script.
  private static Stream<StackFrame> frames(PolyglotException thrown) {
    return StreamSupport.stream(thrown.getPolyglotStackTrace().spliterator(), false)
        .filter(StackFrame::isGuestFrame)
        .filter(
            frame ->
                frame.getSourceLocation() != null
                    && !frame.getSourceLocation().getSource().isInternal());
  }

  private static String oneLine(PolyglotException thrown) {
    var message = String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
    return PLACE_AGAIN.matcher(message).replaceFirst("$1");
  }

  private static int status(PolyglotException thrown) {
    if (thrown.isHostException()) {
      return thrown.asHostException() instanceof HttpException refused
          ? refused.getStatusCode()
          : 500;
    }
    var error = thrown.getGuestObject();
    if (error == null || !error.hasMember("status")) {
      return 500;
    }
    var wanted = error.getMember("status");
    return wanted.fitsInInt() && wanted.asInt() >= 400 && wanted.asInt() <= 599
        ? wanted.asInt()
        : 500;
  }
}
