/// W3C trace context and spans, through OpenTelemetry, where it is switched on.
@NullMarked
package dev.roost.server.tracing;

import org.jspecify.annotations.NullMarked;
