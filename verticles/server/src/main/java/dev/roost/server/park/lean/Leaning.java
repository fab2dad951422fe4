package dev.roost.server.park.lean;

import dev.roost.server.lean.Aead;
import dev.roost.server.lean.Alert;
import dev.roost.server.lean.LeanConnection;
import dev.roost.server.lean.LeanState;
import dev.roost.server.lean.Suite;
import dev.roost.server.metrics.ParkMetrics.NotLean;
import io.netty.handler.ssl.KeptSsl;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.function.Predicate;

/// Takes what a parked connection needs out of BoringSSL's state, which is freed. Each connection
/// proves first that this has gone well: BoringSSL and our record layer both seal a goodbye, and
/// unless the two are the same to the bit, BoringSSL's is sent, and nothing becomes lean any more.
///
/// Confined to one thread.
public final class Leaning {

  private static final Logger LOG = System.getLogger(Leaning.class.getName());

  /// Room for session tickets: two, of a few hundred bytes each.
  private static final int REST_BYTES_MAX = 8_192;

  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  private final BoringSecrets secrets;
  private final Aead aead = new Aead();
  private final ByteBuffer rest = ByteBuffer.allocateDirect(REST_BYTES_MAX);
  private boolean failed;

  /// What has become of a connection.
  public sealed interface Outcome {}

  /// It is lean, and BoringSSL's state is freed.
  public record Lean(KeptLean kept) implements Outcome {}

  /// It stays as it was.
  public record Stays(NotLean reason) implements Outcome {}

  /// It cannot go on. BoringSSL's state is not freed, but of no use.
  public record Lost() implements Outcome {}

  public Leaning(BoringSecrets secrets) {
    this.secrets = secrets;
  }

  /// @param kept of a connection that is parked
  /// @param send sends bytes to its client; false if the client does not take them all at once
  public Outcome of(KeptSsl kept, Predicate<ByteBuffer> send) {
    if (failed) {
      return new Stays(NotLean.FAILED);
    }
    if (!kept.version().equals("TLSv1.3")) {
      return new Stays(NotLean.VERSION);
    }
    var suite = Suite.named(kept.suite());
    if (suite.isEmpty()) {
      return new Stays(NotLean.SUITE);
    }
    if (kept.hasClientCertificate()) {
      return new Stays(NotLean.CLIENT_CERTIFICATE);
    }
    if (!kept.isQuiet()) {
      return new Stays(NotLean.BUSY);
    }
    rest.clear();
    kept.sayRest(rest);
    if (rest.position() > 0 && !send.test(rest.flip())) {
      return new Lost();
    }
    var alpn = Alpn.of(kept.alpn());
    return kept.isQuiet() && alpn.isPresent()
        ? proven(kept, suite.get(), alpn.get(), send)
        : new Stays(NotLean.BUSY);
  }

  private Outcome proven(KeptSsl kept, Suite suite, Alpn alpn, Predicate<ByteBuffer> send) {
    LeanState state;
    ByteBuffer ours;
    try {
      state = secrets.of(kept.ssl(), suite);
      ours = goodbye(state);
    } catch (RuntimeException failure) {
      fail(failure.toString());
      return new Stays(NotLean.FAILED);
    }
    rest.clear();
    kept.sayGoodbye(NOTHING, rest);
    if (rest.flip().equals(ours)) {
      kept.free();
      return new Lean(new KeptLean(state, alpn));
    }
    state.wipe();
    fail("BoringSSL seals another record with " + suite);
    var _ = send.test(rest);
    return new Lost();
  }

  private void fail(String why) {
    failed = true;
    LOG.log(Level.WARNING, "tls.park: connections are parked by engine from now on: {0}", why);
  }

  /// Never sent: what takes its number is sealed by the connection that goes on.
  private ByteBuffer goodbye(LeanState state) {
    var trial = new LeanConnection(state.copy());
    var length = trial.sealAlert(aead, Alert.CLOSE_NOTIFY);
    trial.wipe();
    return ByteBuffer.wrap(aead.record(), 0, length);
  }
}
