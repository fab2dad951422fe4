package dev.roost.server.park;

import dev.roost.server.lean.Aead;
import dev.roost.server.park.lean.BoringSecrets;
import io.netty.channel.epoll.DetachedSocket;
import io.netty.channel.epoll.Epoll;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.UndecodedRequest;
import io.netty.handler.codec.http2.KeptHttp2;
import io.netty.handler.ssl.OpenSsl;
import io.vertx.core.http.impl.http2.codec.AwaitedFrames;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;

/// Tries at start what parking needs of Netty's inside, which the next version of it may lack.
final class ParkProbe {

  private static final Logger LOG = System.getLogger(ParkProbe.class.getName());

  private ParkProbe() {}

  /// Whether everything is there; what is not is logged.
  static boolean passed() {
    if (!Epoll.isAvailable() || !OpenSsl.isAvailable()) {
      return false; // nothing is amiss: this system is not Linux, or has no BoringSSL
    }
    try {
      DetachedSocket.probe();
      KeptHttp2.probe();
      AwaitedFrames.probe();
      return !UndecodedRequest.in(new HttpRequestDecoder());
    } catch (LinkageError | Exception missing) {
      LOG.log(
          Level.WARNING,
          "tls.park: connections are not parked, this version of Netty or Vert.x lacks {0}",
          missing.toString());
      return false;
    }
  }

  /// How BoringSSL's state is read, for `tls.park: lean`; where that cannot be done it is kept, and
  /// that is logged.
  static Optional<BoringSecrets> secrets() {
    try {
      Aead.probe();
      return Optional.of(BoringSecrets.found());
    } catch (LinkageError | RuntimeException missing) {
      LOG.log(
          Level.WARNING,
          "tls.park: connections are parked by engine, not lean; this JVM or BoringSSL lacks {0}",
          missing.toString());
      return Optional.empty();
    }
  }
}
