/// What an answer on HTTP/1.1 says of itself, and whether it keeps to it.
@NullMarked
package dev.roost.server.guard.answer;

import org.jspecify.annotations.NullMarked;
