package dev.roost.server.http;

import dev.roost.server.body.BodyBudget;
import dev.roost.server.body.Uploads;
import dev.roost.server.flow.BlockingVerticle;
import dev.roost.server.metrics.ServerMetrics;
import dev.roost.server.park.Parking;
import dev.roost.server.reactor.Admission;
import dev.roost.server.reactor.LoopWatch;
import dev.roost.server.relay.Relay;
import dev.roost.server.tls.Tickets;
import dev.roost.server.topic.Topics;

/// What all instances of a process have in common; all of it is thread-safe.
///
/// @param topics every topic
/// @param blocking where blocking handlers run
/// @param metrics what is counted
/// @param bodies room for request bodies
/// @param uploads where the files of forms lie
/// @param admission room for connections
/// @param parking where idle connections go
/// @param tickets with which clients resume
/// @param relay to the other processes
/// @param watch whether the loops turn
public record Shared(
    Topics topics,
    BlockingVerticle blocking,
    ServerMetrics metrics,
    BodyBudget bodies,
    Uploads uploads,
    Admission admission,
    Parking parking,
    Tickets tickets,
    Relay relay,
    LoopWatch watch) {}
