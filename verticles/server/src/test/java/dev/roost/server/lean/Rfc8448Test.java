package dev.roost.server.lean;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.server.lean.LeanConnection.Said;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// The trace of RFC 8448, section 3, from the server's side: after its session ticket, which is
/// record 0. The secrets behind a KeyUpdate are not in it; they are of Botan's test suite.
class Rfc8448Test {

  private static final String CLIENT =
      "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5";
  private static final String SERVER =
      "a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643";
  private static final String CLIENT_DATA =
      "1703030043a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b395bd54a9a"
          + "20441e2b62974e1f5a6292a2977014bd1e3deae63aeebb21694915e4";
  private static final String SERVER_DATA =
      "17030300432e937e11ef4ac740e538ad36005fc4a46932fc3225d05f82aa1b36e30efaf97d90e6dffc602dcb"
          + "501a59a8fcc49c4bf2e5f0a21c0047c2abf332540dd032e167c2955d";
  private static final String CLIENT_GOODBYE = "1703030013c9872760655666b74d7ff1153efd6db6d0b0e3";
  private static final String SERVER_GOODBYE = "1703030013b58fd67166ebf599d24720cfbe7efa7a8864a9";

  /// What both send: 00 to 31 in hexadecimal.
  private static final byte[] DATA = new byte[50];

  static {
    for (var each = 0; each < DATA.length; each++) {
      DATA[each] = (byte) each;
    }
  }

  private final Aead aead = new Aead();
  private final LeanConnection server =
      new LeanConnection(
          new LeanState(
              Suite.TLS_AES_128_GCM_SHA256,
              new LeanState.Side(HexFormat.of().parseHex(CLIENT), 0),
              new LeanState.Side(HexFormat.of().parseHex(SERVER), 1)));

  @Test
  void the_keys_are_those_of_the_trace() {
    var client = new Secret("HKDF", HexFormat.of().parseHex(CLIENT));
    var kdf = Suite.TLS_AES_128_GCM_SHA256.kdf();
    assertThat(hex(client.expand(kdf, "key", 16))).isEqualTo("17422dda596ed5d9acd890e3c63f5051");
    assertThat(hex(client.expand(kdf, "iv", 12))).isEqualTo("5b78923dee08579033e523d9");
  }

  @Test
  void the_next_secrets_are_those_that_botan_finds() {
    assertThat(next(CLIENT))
        .isEqualTo("fcdfcc72725aaee48bf64e4fd8b749cdbdbab39d90da0b26e2245ca6ea167207");
    assertThat(next(SERVER))
        .isEqualTo("51921b8aa3001976eb401d0a4319a8516416a6c56001a357e5d162031e84f916");
  }

  @Test
  void the_client_is_understood() throws TlsRefusal {
    var data = server.open(aead, put(CLIENT_DATA));
    assertThat(data).isEqualTo(new LeanConnection.Opened(Said.DATA, DATA.length));
    assertThat(Arrays.copyOf(aead.plain(), DATA.length)).isEqualTo(DATA);
    assertThat(server.open(aead, put(CLIENT_GOODBYE)).said()).isEqualTo(Said.GOODBYE);
  }

  @Test
  void the_server_says_the_same_bit_for_bit() {
    System.arraycopy(DATA, 0, aead.plain(), 0, DATA.length);
    assertThat(record(server.sealData(aead, DATA.length))).isEqualTo(SERVER_DATA);
    assertThat(record(server.sealAlert(aead, Alert.CLOSE_NOTIFY))).isEqualTo(SERVER_GOODBYE);
  }

  private static String next(String secret) {
    var direction = new Direction(Suite.TLS_AES_128_GCM_SHA256, HexFormat.of().parseHex(secret), 7);
    direction.update();
    assertThat(direction.sequence()).isZero();
    return hex(direction.copyOfSecret());
  }

  private int put(String record) {
    var bytes = HexFormat.of().parseHex(record);
    System.arraycopy(bytes, 0, aead.record(), 0, bytes.length);
    return bytes.length;
  }

  private String record(int length) {
    return hex(Arrays.copyOf(aead.record(), length));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
