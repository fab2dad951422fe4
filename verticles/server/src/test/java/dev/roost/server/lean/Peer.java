package dev.roost.server.lean;

import dev.roost.server.lean.LeanConnection.Opened;
import dev.roost.server.lean.LeanConnection.Said;
import java.util.Arrays;
import java.util.Random;

/// A client that may say anything, and the server's end under test.
final class Peer {

  static final byte[] ASKS_FOR_NEW_KEYS = {24, 0, 0, 1, 1};
  static final byte[] HAS_NEW_KEYS = {24, 0, 0, 1, 0};

  /// Far enough away for who does not count.
  static final Limits LIMITS = Limits.RFC_8446;

  final LeanConnection server;
  final Aead servers = new Aead();

  /// What the client sends.
  final Direction sends;

  /// What it receives.
  private final Direction receives;

  private final Aead clients = new Aead();

  Peer(Suite suite) {
    this(suite, LIMITS);
  }

  Peer(Suite suite, Limits limits) {
    var random = new Random(8_446);
    var toServer = new byte[suite.secretBytes()];
    var toClient = new byte[suite.secretBytes()];
    random.nextBytes(toServer);
    random.nextBytes(toClient);
    sends = new Direction(suite, toServer.clone(), 3);
    receives = new Direction(suite, toClient.clone(), 5);
    server =
        new LeanConnection(
            new LeanState(suite, new LeanState.Side(toServer, 3), new LeanState.Side(toClient, 5)),
            limits);
  }

  /// A record with `content` of that type, and `padding` zeros behind it.
  byte[] seal(int type, byte[] content, int padding) {
    Arrays.fill(clients.plain(), (byte) 0);
    System.arraycopy(content, 0, clients.plain(), 0, content.length);
    clients.plain()[content.length] = (byte) type;
    var length = sends.seal(clients, content.length + 1 + padding);
    return Arrays.copyOf(clients.record(), length);
  }

  byte[] data(byte... content) {
    return seal(23, content, 0);
  }

  byte[] handshake(byte... content) {
    return seal(22, content, 0);
  }

  byte[] alert(int description) {
    return seal(21, new byte[] {2, (byte) description}, 0);
  }

  /// What the server makes of `record`.
  Opened give(byte[] record) throws TlsRefusal {
    System.arraycopy(record, 0, servers.record(), 0, record.length);
    return server.open(servers, record.length);
  }

  /// The data of a record that must hold some.
  byte[] read(byte[] record) throws TlsRefusal {
    var opened = give(record);
    if (!opened.said().equals(Said.DATA)) {
      throw new AssertionError(opened);
    }
    return Arrays.copyOf(servers.plain(), opened.bytes());
  }

  /// The record that the server has just sealed, as the client opens it: content and type.
  byte[] received(int length) throws TlsRefusal {
    System.arraycopy(servers.record(), 0, clients.record(), 0, length);
    return Arrays.copyOf(clients.plain(), receives.open(clients, length));
  }

  /// The server says `content`.
  byte[] answered(byte... content) throws TlsRefusal {
    System.arraycopy(content, 0, servers.plain(), 0, content.length);
    return received(server.sealData(servers, content.length));
  }

  /// The server changes its keys, and the client takes the new ones.
  byte[] keysChanged() throws TlsRefusal {
    var said = received(server.sealKeyUpdate(servers));
    receives.update();
    return said;
  }
}
