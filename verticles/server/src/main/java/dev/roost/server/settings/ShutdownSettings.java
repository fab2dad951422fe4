package dev.roost.server.settings;

import java.time.Duration;

/// Keys `shutdown.*`.
///
/// @param preStop time between "not ready" and the first refusal, 0..10 min
/// @param drainTimeout time that requests in flight get to finish, 0..1 h
public record ShutdownSettings(Duration preStop, Duration drainTimeout) {
  public ShutdownSettings {
    Require.between("shutdown.pre-stop", preStop, Duration.ZERO, Duration.ofMinutes(10));
    Require.between("shutdown.drain-timeout", drainTimeout, Duration.ZERO, Duration.ofHours(1));
  }
}
