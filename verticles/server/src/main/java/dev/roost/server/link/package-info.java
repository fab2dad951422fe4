/// The way between a worker process and its supervisor: one unix socket for each worker, over which
/// it gets its listening socket first (SCM_RIGHTS, unix(7)), and both send messages from then on.
///
/// A message is a [Frame]: its length (4 bytes, big-endian, of what follows), the number of its
/// [FrameKind] (1 byte), its body (0 bytes to 4 MiB). They arrive whole and in the order they were
/// sent, on the link's one thread. What the other side has not taken yet is held in an outbox of 16
/// MiB at most; a frame beyond that is dropped, and counted ([Link#dropped()]). A new kind needs
/// its constant, and a case in the switches over the kinds, which the compiler asks for.
///
/// | kind | from | body |
/// |---|---|---|
/// | ADOPTED | worker | none; the first one: it has its socket |
/// | READY | worker | none; it accepts connections |
/// | SCRAPE | supervisor | 8 bytes: a number to answer with |
/// | METRICS | worker | that number, then Prometheus' text in UTF-8; 0 before its end |
/// | RETIRE | supervisor | none; another accepts on its socket: accept no more, and end |
/// | STOP | supervisor | none; end |
/// | TICKET_KEYS | supervisor | after ADOPTED, and when they change: `server.tls.TicketKeys` |
/// | JOIN | worker | none; tell what there is of topics |
/// | TOPICS | supervisor | newest number; up to which topics are forgotten; the run |
/// | PUBLISH | worker | a number to answer with; a post |
/// | MESSAGE | supervisor | its number; that before; the number of PUBLISH; a post |
/// | GONE | supervisor | the number of a topic's newest message, which is not kept; its name |
/// | BROADCAST | both | a note |
/// | LOST | supervisor | none; notes did not come |
/// | ORDERED | supervisor | the number of PUBLISH; its message's, which is not kept |
///
/// Here numbers have 8 bytes, big-endian, and texts are in UTF-8. MESSAGE has the number of the
/// topic's message before it, and that of PUBLISH for the worker that published it, 0 for others. A
/// post is the length of the topic's name (4 bytes), the name, the message; a note the same of a
/// channel.
@NullMarked
package dev.roost.server.link;

import org.jspecify.annotations.NullMarked;
