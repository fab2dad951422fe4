/// One port over several processes. The supervisor holds a listening socket for every worker
/// process and never closes one ([SharedPort]); a worker is handed its socket and accepts on it
/// ([InheritedPort]). Why it is so: docs/adr/0017.
@NullMarked
package dev.roost.server.listen;

import org.jspecify.annotations.NullMarked;
