/// Which of io_uring, epoll, kqueue and NIO carries the connections.
@NullMarked
package dev.roost.launcher.transport;

import org.jspecify.annotations.NullMarked;
