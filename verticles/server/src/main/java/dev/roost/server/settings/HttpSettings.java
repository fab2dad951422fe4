package dev.roost.server.settings;

import java.time.Duration;

/// Keys `http.*`.
///
/// @param headerBytesMax largest request head, in bytes, 1 KiB..1 MiB; beyond it 431
/// @param bodyBytesMax largest request body, in bytes, 0..1 TiB; beyond it 413
/// @param keepAliveTimeout an HTTP connection on which nothing moved for so long, and nothing waits
///   for the client, is closed, 1 s..1 day
/// @param sendTimeout a client that took nothing of what waits for it for so long is cut, 100 ms..1
///   h
public record HttpSettings(
    int headerBytesMax, long bodyBytesMax, Duration keepAliveTimeout, Duration sendTimeout) {
  public HttpSettings {
    Require.between("http.header-size", headerBytesMax, 1 << 10, 1 << 20);
    Require.between("http.body-size", bodyBytesMax, 0, 1L << 40);
    Require.between(
        "http.keep-alive-timeout", keepAliveTimeout, Duration.ofSeconds(1), Duration.ofDays(1));
    Require.between("http.send-timeout", sendTimeout, Duration.ofMillis(100), Duration.ofHours(1));
  }
}
