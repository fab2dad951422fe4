/// Parked connections without BoringSSL's state (`tls.park: lean`): how its secrets are taken,
/// where they lie, and the TLS handler of a connection that has been woken.
@NullMarked
package dev.roost.server.park.lean;

import org.jspecify.annotations.NullMarked;
