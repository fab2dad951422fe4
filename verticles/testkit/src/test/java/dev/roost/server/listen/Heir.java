package dev.roost.server.listen;

import dev.roost.server.Platform;
import dev.roost.server.Roost;
import dev.roost.server.http.RouteSource;
import dev.roost.server.link.Arrival;
import dev.roost.server.link.Frame;
import dev.roost.server.link.Link;
import dev.roost.server.link.LinkServer;
import dev.roost.server.settings.ServerSettings;
import dev.roost.server.settings.TlsSettings;
import dev.roost.server.tls.SelfSignedCertificate;
import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.FileDescriptor;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// A server on a socket that it was handed over a unix socket, as a worker process gets it, but in
/// this process. It answers every request with its name.
final class Heir implements AutoCloseable {
  private static final TlsSettings TLS = certificate();

  private final Platform platform;
  private final InheritedPort port;
  private final Roost roost;

  private Heir(Platform platform, InheritedPort port, Roost roost) {
    this.platform = platform;
    this.port = port;
    this.roost = roost;
  }

  static Heir of(SharedPort shared, int slot, String name) throws IOException {
    var port = new InheritedPort(handedOver(shared.descriptor(slot)));
    var platform = Platform.create(new VertxOptions().setEventLoopPoolSize(2), port.transport());
    var settings = ServerSettings.loopback(TLS);
    var routes = RouteSource.shared(r -> r.get("/", request -> request.end(name)));
    var listen = settings.with(settings.listen().inheriting(shared.port()));
    return new Heir(platform, port, TestServer.await(Roost.start(platform, routes, listen)));
  }

  void stopAccepting() {
    port.stopAccepting();
  }

  @Override
  public void close() {
    TestServer.await(roost.close());
    TestServer.await(platform.close());
  }

  private static FileDescriptor handedOver(FileDescriptor socket) throws IOException {
    var loop = Link.newLoop();
    var file = Files.createTempDirectory("heir").resolve("socket");
    try (var _ = LinkServer.open(file, loop, _ -> Optional.of(new Supervisor(socket)))) {
      return arrived(file, loop);
    } finally {
      var _ = loop.shutdownGracefully();
      Files.delete(file.getParent());
    }
  }

  private static FileDescriptor arrived(Path file, EventLoopGroup loop) {
    var closed = new CompletableFuture<Void>();
    var arrival = Patience.await(Arrival.at(file, loop, new Silent(closed)));
    var _ = arrival.link().close();
    Patience.await(closed);
    return arrival.socket();
  }

  private static TlsSettings certificate() {
    try {
      return SelfSignedCertificate.in(Files.createTempDirectory("heir"));
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private record Silent(CompletableFuture<Void> end) implements Link.Listener {
    @Override
    public void received(Frame frame) {
      throw new AssertionError("unexpected: " + frame.kind());
    }

    @Override
    public void closed() {
      end.complete(null);
    }
  }

  private record Supervisor(FileDescriptor socket) implements LinkServer.Guest {
    @Override
    public void came(Link link) {
      // it only hands over
    }

    @Override
    public void received(Frame frame) {
      // it has arrived
    }

    @Override
    public void closed() {
      // as it was asked to
    }
  }
}
