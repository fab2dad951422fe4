/// The record layer of TLS 1.3 (RFC 8446, section 5) for a connection whose handshake BoringSSL has
/// done and whose state it has let go: what a server needs to carry on with two secrets and two
/// numbers. Knows no sockets and no Netty; the ciphers are the JDK's.
@NullMarked
package dev.roost.server.lean;

import org.jspecify.annotations.NullMarked;
