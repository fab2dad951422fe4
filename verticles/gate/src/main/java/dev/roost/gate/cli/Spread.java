package dev.roost.gate.cli;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// How the connections are spread over processes.
///
/// @param clients client processes; with 1 this process is it
/// @param processes of the server that share the connections
/// @param sources addresses the clients come from, client number n from the n-th, over and over;
///   none leaves it to the kernel
/// @param prefix words before the command of client number n, with `%d` for n; empty for none
/// @param following the number of this process, from 0, if it is one of several clients
record Spread(
    int clients, int processes, List<String> sources, List<String> prefix, OptionalInt following) {

  /// The address this process comes from.
  Optional<String> source() {
    if (sources.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(sources.get(following.orElse(0) % sources.size()));
  }

  /// Pairs of a source and one of `destinations` addresses. A client in a namespace of its own has
  /// a source of its own.
  long paths(int destinations) {
    long own = prefix.isEmpty() ? 1 : clients;
    return destinations * Math.max(own, Math.min(sources.size(), clients));
  }

  /// The command of client number `index`, made of this process's own command.
  List<String> command(List<String> own, int index) {
    var number = Integer.toString(index);
    return Stream.of(
            prefix.stream().map(word -> word.replace("%d", number)),
            own.stream(),
            Stream.of("--follow", number))
        .flatMap(words -> words)
        .toList();
  }
}
