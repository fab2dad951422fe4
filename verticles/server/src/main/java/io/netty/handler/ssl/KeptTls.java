package io.netty.handler.ssl;

import java.nio.ByteBuffer;

/// The TLS state of a connection that has no handler of TLS: it is parked.
public interface KeptTls {

  /// The records that say `last`, and that nothing more will come (RFC 8446, 6.1). Nothing else may
  /// follow.
  ///
  /// @param last direct; may be empty
  /// @param into direct; the records are from its start to its position
  void sayGoodbye(ByteBuffer last, ByteBuffer into);

  /// The connection has ended.
  void free();
}
