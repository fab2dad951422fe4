/// What is counted, and how Prometheus reads it.
@NullMarked
package dev.roost.server.metrics;

import org.jspecify.annotations.NullMarked;
