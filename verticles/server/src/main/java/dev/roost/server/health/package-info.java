/// Liveness and readiness, on the management port.
@NullMarked
package dev.roost.server.health;

import org.jspecify.annotations.NullMarked;
