package dev.roost.launcher.deploy;

import dev.roost.server.settings.ListenSettings;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import java.io.IOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;

/// Tells a port or host that cannot be bound from other failures of a start.
final class BindFailure {
  /// How the native transports begin the message of theirs, an IOException of their own kind.
  private static final String NATIVE = "bind(";

  private BindFailure() {}

  /// @return the refusal, if `failure` is one of binding
  static Optional<StartRefusal> refusal(Throwable failure, ListenSettings listen) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (isBind(cause)) {
        return Optional.of(
            new StartRefusal(
                Stage.BIND,
                "server.host %s or management.host %s cannot be bound: %s"
                    .formatted(listen.host(), listen.managementHost(), reason(cause))));
      }
    }
    return Optional.empty();
  }

  private static boolean isBind(Throwable cause) {
    return switch (cause) {
      case SocketException _ -> true;
      case UnknownHostException _ -> true;
      case UnresolvedAddressException _ -> true;
      case IOException io -> String.valueOf(io.getMessage()).startsWith(NATIVE);
      default -> false;
    };
  }

  private static String reason(Throwable cause) {
    var message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("").strip();
    return message.replaceFirst(".*failed with error\\(-?\\d+\\): ", "");
  }
}
