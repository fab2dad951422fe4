package io.netty.handler.ssl;

import java.nio.ByteBuffer;

/// The TLS state of a connection that has no handler of TLS: it is parked.
public interface KeptTls {

  /// The record that says that nothing more will come (RFC 8446, 6.1). Nothing else may follow.
  ///
  /// @param into direct; the record is from its start to its position
  void sayGoodbye(ByteBuffer into);

  /// The connection has ended.
  void free();
}
