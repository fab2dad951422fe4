package io.netty.channel.unix;

/// Takes a descriptor out of Netty's hands without closing it.
public final class Disowned {

  private Disowned() {}

  /// Netty takes `descriptor` for closed from now on; the kernel does not.
  ///
  /// @return false if it was closed already
  public static boolean of(FileDescriptor descriptor) {
    return descriptor.markClosed();
  }
}
