/// A server on a free port for a test, clients for it, and the contracts every implementation
/// keeps.
@NullMarked
package dev.roost.testkit;

import org.jspecify.annotations.NullMarked;
