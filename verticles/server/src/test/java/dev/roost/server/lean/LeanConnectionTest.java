package dev.roost.server.lean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.server.lean.LeanConnection.Said;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What a client may say after the handshake, and what it may not (RFC 8446, 4.6.3, 5 and 6).
class LeanConnectionTest {

  private static final Suite SUITE = Suite.TLS_AES_128_GCM_SHA256;
  private static final byte[] NOTHING = {};

  private Peer peer = new Peer(SUITE);

  @ParameterizedTest
  @EnumSource
  void data_goes_both_ways_in_records_of_any_size(Suite suite) throws TlsRefusal {
    peer = new Peer(suite);
    for (var bytes : new int[] {1, 15, 16, 17, 1_000, 16_383, 16_384}) {
      var data = random(bytes);
      assertThat(peer.read(peer.data(data))).isEqualTo(data);
      assertThat(peer.answered(data)).isEqualTo(followedBy(data, 23));
    }
  }

  @ParameterizedTest
  @EnumSource
  void keys_change_in_both_directions(Suite suite) throws TlsRefusal {
    peer = new Peer(suite);
    for (var each = 1; each <= 40; each++) {
      peer.give(peer.handshake(Peer.ASKS_FOR_NEW_KEYS));
      peer.sends.update();
      assertThat(peer.read(peer.data((byte) each))).containsExactly(each);
      assertThat(peer.server.owesKeyUpdate()).isTrue();
      assertThat(peer.keysChanged()).isEqualTo(followedBy(Peer.HAS_NEW_KEYS, 22));
      assertThat(peer.server.owesKeyUpdate()).isFalse();
      assertThat(peer.answered((byte) each)).containsExactly(each, 23);
    }
  }

  @Test
  void a_client_that_asks_twice_before_it_is_answered_is_answered_once() throws TlsRefusal {
    for (var each = 0; each < 2; each++) {
      peer.give(peer.handshake(Peer.ASKS_FOR_NEW_KEYS));
      peer.sends.update();
    }
    peer.keysChanged();
    assertThat(peer.server.owesKeyUpdate()).isFalse();
  }

  @Test
  void new_keys_that_are_not_asked_for_are_not_answered() throws TlsRefusal {
    peer.give(peer.handshake(Peer.HAS_NEW_KEYS));
    peer.sends.update();
    assertThat(peer.server.owesKeyUpdate()).isFalse();
    assertThat(peer.read(peer.data((byte) 1))).containsExactly(1);
  }

  @Test
  void a_key_update_may_come_in_parts() throws TlsRefusal {
    for (var part : Peer.HAS_NEW_KEYS) {
      assertThat(peer.give(peer.handshake(part)).said()).isEqualTo(Said.NOTHING);
    }
    peer.sends.update();
    assertThat(peer.read(peer.data((byte) 1))).containsExactly(1);
  }

  @Test
  void a_key_update_in_part_keeps_a_connection_from_being_parked() throws TlsRefusal {
    assertThat(peer.server.isBetweenMessages()).isTrue();
    peer.give(peer.handshake((byte) 24));
    assertThat(peer.server.isBetweenMessages()).isFalse();
  }

  @Test
  void padding_is_taken_off() throws TlsRefusal {
    assertThat(peer.read(peer.seal(23, random(7), 300))).isEqualTo(random(7));
    assertThat(peer.read(peer.seal(23, random(16_000), 384))).isEqualTo(random(16_000));
    assertThat(peer.read(peer.data((byte) 5, (byte) 0, (byte) 0))).containsExactly(5, 0, 0);
  }

  @Test
  void goodbyes_are_told_from_other_alerts() throws TlsRefusal {
    assertThat(peer.give(peer.alert(90)).said()).isEqualTo(Said.NOTHING);
    assertThat(peer.give(peer.alert(0)).said()).isEqualTo(Said.GOODBYE);
    assertThat(peer.give(peer.alert(20)).said()).isEqualTo(Said.ABORT);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "20, 01, UNEXPECTED_MESSAGE", // change_cipher_spec
    "24, 01, UNEXPECTED_MESSAGE", // heartbeat
    "22, '', UNEXPECTED_MESSAGE", // no message
    "22, 01000000, UNEXPECTED_MESSAGE", // ClientHello
    "22, 14000020, UNEXPECTED_MESSAGE", // Finished
    "22, 0b00000400000000, UNEXPECTED_MESSAGE", // Certificate
    "22, 180000020000, DECODE_ERROR",
    "22, 180000, NONE",
    "22, 180100, DECODE_ERROR",
    "22, 18000000, DECODE_ERROR",
    "22, 1800000102, ILLEGAL_PARAMETER",
    "22, 18000001001800000100, UNEXPECTED_MESSAGE", // two, the second under old keys
    "21, 01, DECODE_ERROR",
    "21, 010001, DECODE_ERROR",
    "21, '', DECODE_ERROR"
  })
  void what_a_client_must_not_say_ends_the_connection(int type, String content, String alert) {
    var bytes = java.util.HexFormat.of().parseHex(content);
    assertThat(refusal(peer.seal(type, bytes, 2))).isEqualTo(alert);
  }

  @ParameterizedTest
  @CsvSource({"20, 1", "21, 2", "22, 5", "0, 1", "255, 100"})
  void an_unsealed_record_is_refused(int type, int length) {
    assertThatExceptionOfType(TlsRefusal.class)
        .isThrownBy(() -> Records.bytes(type, length))
        .satisfies(refusal -> assertThat(refusal.alert()).isEqualTo(Alert.UNEXPECTED_MESSAGE));
  }

  @Test
  void a_record_that_is_too_long_is_refused_before_it_has_come() throws TlsRefusal {
    assertThat(Records.bytes(23, 16_640)).isEqualTo(Records.RECORD_BYTES_MAX);
    assertThatThrownBy(() -> Records.bytes(23, 16_641))
        .isInstanceOfSatisfying(
            TlsRefusal.class,
            refusal -> assertThat(refusal.alert()).isEqualTo(Alert.RECORD_OVERFLOW));
  }

  @Test
  void a_record_that_holds_too_much_is_refused() {
    assertThat(refusal(peer.seal(23, random(16_384), 1))).isEqualTo("RECORD_OVERFLOW");
    assertThat(refusal(new Peer(SUITE), new Peer(SUITE).seal(23, random(16_384), 0)))
        .isEqualTo("NONE");
  }

  @Test
  void a_record_of_nothing_but_zeros_is_refused() {
    assertThat(refusal(peer.seal(0, NOTHING, 0))).isEqualTo("UNEXPECTED_MESSAGE");
    assertThat(refusal(new Peer(SUITE), new Peer(SUITE).seal(0, NOTHING, 200)))
        .isEqualTo("UNEXPECTED_MESSAGE");
  }

  @Test
  void nothing_comes_between_the_parts_of_a_message() throws TlsRefusal {
    peer.give(peer.handshake((byte) 24, (byte) 0));
    assertThat(refusal(peer.data((byte) 1))).isEqualTo("UNEXPECTED_MESSAGE");
  }

  @Test
  void floods_of_records_without_data_are_refused() throws TlsRefusal {
    for (var each = 0; each < Peer.LIMITS.futile(); each++) {
      assertThat(peer.give(peer.data()).said()).isEqualTo(Said.NOTHING);
    }
    assertThat(peer.read(peer.data((byte) 1))).containsExactly(1);
    for (var each = 0; each < Peer.LIMITS.futile(); each++) {
      peer.give(peer.handshake(Peer.ASKS_FOR_NEW_KEYS));
      peer.sends.update();
    }
    assertThat(refusal(peer.handshake(Peer.ASKS_FOR_NEW_KEYS))).isEqualTo("UNEXPECTED_MESSAGE");
  }

  private String refusal(byte[] record) {
    return refusal(peer, record);
  }

  private static String refusal(Peer peer, byte[] record) {
    try {
      peer.give(record);
      return "NONE";
    } catch (TlsRefusal refusal) {
      return refusal.alert().name();
    }
  }

  private static byte[] random(int bytes) {
    var random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    return random;
  }

  private static byte[] followedBy(byte[] content, int type) {
    var all = Arrays.copyOf(content, content.length + 1);
    all[content.length] = (byte) type;
    return all;
  }
}
