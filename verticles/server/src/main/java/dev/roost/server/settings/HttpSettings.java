package dev.roost.server.settings;

import java.time.Duration;

/// Keys `http.*`.
///
/// @param headerBytesMax largest request head, in bytes, 1 KiB..1 MiB; beyond it 431
/// @param bodyBytesMax largest request body, in bytes, 0..1 TiB; beyond it 413
/// @param keepAliveTimeout an HTTP connection on which nothing moved for so long is closed, 1 s..1
///   day
public record HttpSettings(int headerBytesMax, long bodyBytesMax, Duration keepAliveTimeout) {
  public HttpSettings {
    Require.between("http.header-size", headerBytesMax, 1 << 10, 1 << 20);
    Require.between("http.body-size", bodyBytesMax, 0, 1L << 40);
    Require.between(
        "http.keep-alive-timeout", keepAliveTimeout, Duration.ofSeconds(1), Duration.ofDays(1));
  }
}
