package dev.roost.gate.client;

import dev.roost.gate.protocol.Dialogue;
import java.util.function.Supplier;

/// What the connections of one event loop have in common. Confined to that event loop.
///
/// @param alpn the protocol the server must agree to; empty if none is offered
/// @param dialogues makes each connection's side of the protocol
/// @param causes where the cause of a failure is noted
record Talk(String alpn, Supplier<Dialogue> dialogues, Causes causes) {}
