package dev.roost.server.lean;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Records that were changed, cut, sent twice or in another order; and where secrets end.
class BrokenRecordsTest {

  private static final int TRIES = 2_000;
  private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(UTF_8);

  @ParameterizedTest
  @EnumSource
  void a_record_with_any_bit_changed_is_refused(Suite suite) {
    var sealed = new Peer(suite).data(REQUEST);
    for (var bit = 0; bit < 8 * sealed.length; bit++) {
      var changed = sealed.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      isRefused(new Peer(suite), changed);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_record_that_is_cut_or_grown_is_refused(Suite suite) {
    var sealed = new Peer(suite).data(REQUEST);
    for (var length = Records.HEADER_BYTES; length <= sealed.length + 40; length++) {
      if (length != sealed.length) {
        var other = Arrays.copyOf(sealed, length);
        Records.putHeader(other, length - Records.HEADER_BYTES);
        isRefused(new Peer(suite), other);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void random_bytes_are_refused(Suite suite) {
    var random = new Random(1);
    var peer = new Peer(suite);
    for (var each = 0; each < TRIES; each++) {
      var noise = new byte[Records.HEADER_BYTES + random.nextInt(300)];
      random.nextBytes(noise);
      Records.putHeader(noise, noise.length - Records.HEADER_BYTES);
      isRefused(peer, noise);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_record_sent_twice_is_refused(Suite suite) throws TlsRefusal {
    var peer = new Peer(suite);
    var sealed = peer.data(REQUEST);
    assertThat(peer.read(sealed)).isEqualTo(REQUEST);
    isRefused(peer, sealed);
  }

  @ParameterizedTest
  @EnumSource
  void records_in_another_order_are_refused(Suite suite) {
    var peer = new Peer(suite);
    var first = peer.data(REQUEST);
    var second = peer.data(REQUEST);
    assertThat(first).isNotEqualTo(second);
    isRefused(peer, second);
  }

  @ParameterizedTest
  @EnumSource
  void a_record_under_the_keys_before_a_key_update_is_refused(Suite suite) throws TlsRefusal {
    var peer = new Peer(suite);
    peer.give(peer.handshake(Peer.HAS_NEW_KEYS));
    isRefused(peer, peer.data(REQUEST));
  }

  @Test
  void a_record_of_the_other_direction_is_refused() {
    var peer = new Peer(Suite.TLS_AES_128_GCM_SHA256);
    var length = peer.server.sealAlert(peer.servers, Alert.CLOSE_NOTIFY);
    isRefused(peer, Arrays.copyOf(peer.servers.record(), length));
  }

  @ParameterizedTest
  @EnumSource
  void a_parked_connection_goes_on_where_it_was(Suite suite) throws TlsRefusal {
    var peer = new Peer(suite);
    peer.read(peer.data(REQUEST));
    peer.answered((byte) 1);
    var state = peer.server.park();
    assertThat(state.read().sequence()).isEqualTo(4);
    assertThat(state.write().sequence()).isEqualTo(6);
    var next = peer.data(REQUEST);
    System.arraycopy(next, 0, peer.servers.record(), 0, next.length);
    var woken = new LeanConnection(state);
    assertThat(woken.open(peer.servers, next.length).bytes()).isEqualTo(REQUEST.length);
    assertThat(peer.received(woken.sealAlert(peer.servers, Alert.CLOSE_NOTIFY)))
        .containsExactly(1, 0, 21);
  }

  @Test
  void keys_are_changed_before_the_limit_of_what_may_be_sealed() throws TlsRefusal {
    var peer = new Peer(Suite.TLS_AES_128_GCM_SHA256, new Limits(8, 100, 200, 32));
    for (var sequence = 5; sequence < 8; sequence++) {
      peer.answered((byte) 1);
    }
    assertThat(peer.server.owesKeyUpdate()).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> peer.answered((byte) 1));
    assertThat(peer.keysChanged()).containsExactly(24, 0, 0, 1, 0, 22);
    assertThat(peer.answered((byte) 1)).containsExactly(1, 23);
  }

  @Test
  void a_client_is_asked_for_new_keys_once_and_has_to_obey() throws TlsRefusal {
    var peer = new Peer(Suite.TLS_AES_128_GCM_SHA256, new Limits(100, 6, 9, 32));
    readUpTo(peer, 6);
    assertThat(peer.keysChanged()).containsExactly(24, 0, 0, 1, 1, 22);
    assertThat(peer.server.owesKeyUpdate()).isFalse();
    readUpTo(peer, 9);
    isRefused(peer, peer.data(REQUEST));
  }

  @Test
  void a_client_that_obeys_goes_on() throws TlsRefusal {
    var peer = new Peer(Suite.TLS_AES_128_GCM_SHA256, new Limits(100, 6, 9, 32));
    for (var rounds = 0; rounds < 3; rounds++) {
      readUpTo(peer, 6);
      assertThat(peer.keysChanged()).containsExactly(24, 0, 0, 1, 1, 22);
      peer.give(peer.handshake(Peer.HAS_NEW_KEYS));
      peer.sends.update();
    }
    assertThat(peer.read(peer.data(REQUEST))).isEqualTo(REQUEST);
  }

  @Test
  void the_limits_are_below_those_of_the_rfc() {
    assertThat(Limits.RFC_8446.sealed()).isLessThan((long) Math.pow(2, 24.5));
    assertThat(Limits.RFC_8446.openedMax()).isLessThan((long) Math.pow(2, 24.5));
  }

  @Test
  void secrets_are_zeroed_when_they_are_let_go() {
    var secret = new byte[32];
    Arrays.fill(secret, (byte) 7);
    var side = new LeanState.Side(secret, 0);
    var state = new LeanState(Suite.TLS_AES_128_GCM_SHA256, side, side);
    assertThat(state.toString() + side).doesNotContain("7");
    new LeanConnection(state).wipe();
    assertThat(secret).containsOnly(0);
  }

  @Test
  void a_secret_is_not_printed_and_not_used_when_it_is_gone() {
    var secret = new Secret("AES", new byte[] {65, 66, 67});
    assertThat(secret.toString()).isEqualTo("a secret of 3 bytes");
    secret.destroy();
    assertThat(secret.isDestroyed()).isTrue();
    assertThatIllegalStateException().isThrownBy(secret::getEncoded);
  }

  private static void readUpTo(Peer peer, int sequence) throws TlsRefusal {
    while (peer.sends.sequence() < sequence) {
      peer.read(peer.data(REQUEST));
    }
  }

  private static void isRefused(Peer peer, byte[] record) {
    assertThatExceptionOfType(TlsRefusal.class)
        .isThrownBy(
            () -> {
              var length = ((record[3] & 0xff) << 8) | (record[4] & 0xff);
              if (Records.bytes(record[0], length) != record.length) {
                throw new TlsRefusal(Alert.DECODE_ERROR, "another record begins in this one");
              }
              peer.give(record);
            });
  }
}
