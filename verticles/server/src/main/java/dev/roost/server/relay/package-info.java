/// What the processes of one server tell each other, by way of their supervisor: the messages of
/// topics, which it puts in order and keeps a history of ([RelayHub]), and short notes on channels
/// ([Relay]). No process is addressed: what one says, all hear, itself included, in one order.
///
/// The hub never waits. Each worker has a place in the hub's history and is sent what comes after
/// it as fast as it takes it; one that is slower than the history is long has a gap, and so have
/// its followers. Notes are not kept: whoever is behind loses them, and is told that it did.
@NullMarked
package dev.roost.server.relay;

import org.jspecify.annotations.NullMarked;
