package dev.roost.launcher.transport;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Settings;
import dev.roost.launcher.config.Source;
import dev.roost.launcher.config.TransportName;
import dev.roost.server.settings.StartRefusal;
import dev.roost.server.settings.StartRefusal.Stage;
import io.vertx.core.transport.Transport;
import java.util.Locale;
import java.util.Optional;

/// The transport that was taken.
///
/// @param name as the key `transport` spells it
/// @param transport one that is available
/// @param warning one line, where `auto` had to settle for less than the system's own
public record Carrier(String name, Transport transport, Optional<String> warning) {

  /// Takes the one asked for. `auto` takes the system's own, which is epoll on Linux and kqueue on
  /// macOS, else NIO; io_uring only when it is asked for (parking works on epoll, see
  /// docs/adr/0003).
  ///
  /// @throws StartRefusal if the one asked for is missing
  public static Carrier choose(Settings settings) {
    var wish = settings.value(Catalogue.TRANSPORT);
    return switch (wish) {
      case AUTO -> systems();
      case IO_URING, EPOLL, KQUEUE, NIO ->
          asked(wish, settings.setting(Catalogue.TRANSPORT).source());
    };
  }

  private static Carrier asked(TransportName wish, Source source) {
    return problem(wish)
        .<Carrier>map(
            problem -> {
              throw new StartRefusal(
                  Stage.TRANSPORT,
                  "transport: %s is not available here: %s (%s)"
                      .formatted(nameOf(wish), problem, source));
            })
        .orElseGet(() -> taken(wish));
  }

  private static Carrier systems() {
    var own = own();
    return problem(own)
        .map(
            problem ->
                new Carrier(
                    nameOf(TransportName.NIO),
                    Transport.NIO,
                    Optional.of(
                        "transport nio taken, %s is not available: %s"
                            .formatted(nameOf(own), problem))))
        .orElseGet(() -> taken(own));
  }

  private static TransportName own() {
    var system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    if (system.startsWith("linux")) {
      return TransportName.EPOLL;
    }
    return system.startsWith("mac") ? TransportName.KQUEUE : TransportName.NIO;
  }

  private static Carrier taken(TransportName name) {
    return new Carrier(nameOf(name), transport(name).orElseThrow(), Optional.empty());
  }

  /// Why it cannot be taken; empty if it can.
  private static Optional<String> problem(TransportName name) {
    var transport = transport(name);
    if (transport.isEmpty()) {
      return Optional.of("its library is not on the class path");
    }
    if (transport.get().available()) {
      return Optional.empty();
    }
    var cause = Optional.ofNullable(transport.get().unavailabilityCause());
    return Optional.of(cause.map(Carrier::root).orElse("the system does not have it"));
  }

  private static String root(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("unknown");
  }

  /// Vert.x leaves a constant null where the jar is missing.
  private static Optional<Transport> transport(TransportName name) {
    return Optional.ofNullable(
        switch (name) {
          case IO_URING -> Transport.IO_URING;
          case EPOLL -> Transport.EPOLL;
          case KQUEUE -> Transport.KQUEUE;
          case AUTO, NIO -> Transport.NIO;
        });
  }

  private static String nameOf(TransportName name) {
    return name.name().toLowerCase(Locale.ROOT);
  }
}
