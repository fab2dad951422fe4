package dev.roost.launcher.config;

/// What a key may hold that only switches something on or off.
public enum Switch {
  OFF,
  ON
}
