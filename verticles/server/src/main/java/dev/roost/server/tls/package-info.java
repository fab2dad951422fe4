/// TLS by BoringSSL, and the certificate of a first start.
@NullMarked
package dev.roost.server.tls;

import org.jspecify.annotations.NullMarked;
