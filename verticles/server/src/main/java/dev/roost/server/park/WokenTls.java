package dev.roost.server.park;

import dev.roost.server.park.lean.LeanTls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.KeptSsl;
import io.netty.handler.ssl.RecordTls;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// BoringSSL for Vert.x, as its own options make it, but that a connection which is woken goes on
/// with the TLS state it was parked with. Engines are freed by count: with a finaliser each, as
/// Vert.x makes them, two collections would pass before an engine of many is gone.
public final class WokenTls extends OpenSSLEngineOptions {

  private final Consumer<SslContext> made;

  /// @param made takes each context before it is used
  public WokenTls(Consumer<SslContext> made) {
    this.made = made;
  }

  @Override
  public OpenSSLEngineOptions copy() {
    return this;
  }

  @Override
  public SslContextFactory sslContextFactory() {
    return new Factory(made);
  }

  private static final class Factory implements SslContextFactory {
    private final Consumer<SslContext> made;
    private ClientAuth clientAuth = ClientAuth.NONE;
    private @Nullable Set<String> protocols;
    private @Nullable Set<String> suites;
    private @Nullable List<String> applicationProtocols;
    private @Nullable KeyManagerFactory keys;
    private @Nullable TrustManagerFactory trusted;
    private boolean alpn;

    Factory(Consumer<SslContext> made) {
      this.made = made;
    }

    @Override
    public SslContextFactory useAlpn(boolean use) {
      alpn = use;
      return this;
    }

    @Override
    public SslContextFactory forServer(ClientAuth auth) {
      clientAuth = auth;
      return this;
    }

    @Override
    public SslContextFactory forClient(SNIServerName name, String identification) {
      throw new UnsupportedOperationException("these are a server's options");
    }

    @Override
    public SslContextFactory enabledProtocols(Set<String> enabled) {
      protocols = enabled;
      return this;
    }

    @Override
    public SslContextFactory keyMananagerFactory(KeyManagerFactory factory) {
      keys = factory;
      return this;
    }

    @Override
    public SslContextFactory trustManagerFactory(TrustManagerFactory factory) {
      trusted = factory;
      return this;
    }

    @Override
    public SslContextFactory enabledCipherSuites(Set<String> enabled) {
      suites = enabled;
      return this;
    }

    @Override
    public SslContextFactory applicationProtocols(List<String> names) {
      applicationProtocols = names;
      return this;
    }

    @Override
    public SslContext create() throws SSLException {
      var builder =
          SslContextBuilder.forServer(Objects.requireNonNull(keys, "no certificate"))
              .sslProvider(SslProvider.OPENSSL_REFCNT)
              .clientAuth(clientAuth);
      if (suites != null && !suites.isEmpty()) {
        builder.ciphers(suites);
      }
      if (trusted != null) {
        builder.trustManager(trusted);
      }
      if (protocols != null) {
        builder.protocols(protocols);
      }
      if (alpn && applicationProtocols != null && !applicationProtocols.isEmpty()) {
        builder.applicationProtocolConfig(
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                applicationProtocols));
      }
      var context = new Context(builder.build());
      made.accept(context);
      return context;
    }
  }

  private static final class Context extends DelegatingSslContext {
    Context(SslContext context) {
      super(context);
    }

    @Override
    public SslHandler newHandler(ByteBufAllocator alloc, Executor executor) {
      var lean = Woken.takeLean();
      return lean.isPresent()
          ? new LeanTls(lean.get())
          : new RecordTls(super.newHandler(alloc, executor), executor);
    }

    @Override
    public SslHandler newHandler(ByteBufAllocator alloc, String host, int port, Executor executor) {
      var lean = Woken.takeLean();
      return lean.isPresent()
          ? new LeanTls(lean.get())
          : new RecordTls(super.newHandler(alloc, host, port, executor), executor);
    }

    @Override
    protected void initEngine(SSLEngine engine) {
      Woken.takeTls()
          .ifPresent(
              kept -> {
                if (kept instanceof KeptSsl ssl) {
                  ssl.giveTo(engine);
                }
              });
    }
  }
}
