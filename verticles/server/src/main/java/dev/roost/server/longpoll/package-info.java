/// Requests that are held until there is news.
@NullMarked
package dev.roost.server.longpoll;

import org.jspecify.annotations.NullMarked;
