package dev.roost.server.lean;

/// How far one secret, and one peer, may go.
///
/// @param sealed records sealed under one secret; then it is changed, before the next one
/// @param opened records opened under one secret; then the peer is asked to change it
/// @param openedMax records opened under one secret at most; then the connection ends
/// @param futile records in a row that bring no data (empty ones, KeyUpdates, alerts that say
///   nothing): then the connection ends. BoringSSL allows 32 of each
record Limits(long sealed, long opened, long openedMax, int futile) {

  /// RFC 8446, 5.5 lets AES-GCM seal 2^24.5 full records under one key. A third of that: the limit
  /// of the RFC is for one attack on one key, and there is no price to pay, a KeyUpdate in 128 GiB.
  /// ChaCha20-Poly1305 has none; it is held to the same, so that one rule is tested. What a peer
  /// seals is its own to watch: it gets as many again after it has been asked.
  static final Limits RFC_8446 = new Limits(1L << 23, 1L << 23, 1L << 24, 32);
}
