/// Worker processes and their supervisor (`processes` above 1). The supervisor serves nobody: it
/// holds the listening sockets, starts a worker for each ([Slot]), replaces one that dies, steers
/// new connections away meanwhile, restarts them one by one, and answers on the management port for
/// all. Its [Crew] lives on one thread, that of the links to the workers (`dev.roost.server.link`).
@NullMarked
package dev.roost.launcher.process;

import org.jspecify.annotations.NullMarked;
