package dev.roost.launcher.config;

/// What the key `transport` may hold.
public enum TransportName {
  AUTO,
  IO_URING,
  EPOLL,
  KQUEUE,
  NIO
}
