/// Metrics of several processes, read as Prometheus' text and added up into one page.
@NullMarked
package dev.roost.server.exposition;

import org.jspecify.annotations.NullMarked;
