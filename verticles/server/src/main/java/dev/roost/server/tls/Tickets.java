package dev.roost.server.tls;

import dev.roost.server.settings.TlsSettings;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import java.time.Instant;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/// The session tickets of this process: every TLS context of it seals and opens them with the same
/// keys, whenever it was made. Thread-safe.
public final class Tickets {

  /// Every context that is in use. Guarded by this.
  private final Set<OpenSslSessionContext> contexts =
      Collections.newSetFromMap(new WeakHashMap<>());

  private TicketKeys keys = TicketKeys.fresh(Instant.now());

  /// Takes other keys from now on; those of before are overwritten.
  ///
  /// @param next its owner no more
  public synchronized void use(TicketKeys next) {
    var former = keys;
    keys = next;
    contexts.forEach(this::give);
    former.wipe();
  }

  /// The keys in use, in a copy of the caller's own.
  synchronized TicketKeys keys() {
    return TicketKeys.of(keys.encoded());
  }

  /// Has a context seal and open with the keys, now and when they change. The JDK's engine has keys
  /// of its own, which nobody shares.
  ///
  /// A session lives no longer than its ticket's key, even one that was sealed just before the next
  /// key came. BoringSSL is told so for TLS 1.2 alone, and has 2 days for TLS 1.3; a client that
  /// comes with a ticket whose key is gone shakes hands in full.
  synchronized void serve(SslContext context, TlsSettings.Tickets settings) {
    if (context.sessionContext() instanceof OpenSslSessionContext boring) {
      var life = settings.rotate().multipliedBy(Math.max(1, settings.keep() - 1));
      boring.setSessionTimeout(Math.toIntExact(life.toSeconds()));
      contexts.add(boring);
      give(boring);
    }
  }

  private void give(OpenSslSessionContext context) {
    context.setTicketKeys(keys.forBoringSsl());
  }
}
