package dev.roost.server.settings;

/// Keys `reactor.*` and `instances`.
///
/// @param instances HTTP server verticles, one event loop each, 1..1024
/// @param continuationsMax requests of one loop that may be waiting for their answer, 1..1,048,576;
///   where none is left the connection is shed
public record ReactorSettings(int instances, int continuationsMax) {
  public ReactorSettings {
    Require.between("instances", instances, 1, 1_024);
    Require.between("reactor.continuations", continuationsMax, 1, 1 << 20);
  }
}
