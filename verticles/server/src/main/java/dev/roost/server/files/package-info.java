/// Files over HTTP: which one a path means ([Folder]), whether and which part of it to send
/// ([Conditions]), and sending it as the client takes it ([Sending]).
@NullMarked
package dev.roost.server.files;

import org.jspecify.annotations.NullMarked;
