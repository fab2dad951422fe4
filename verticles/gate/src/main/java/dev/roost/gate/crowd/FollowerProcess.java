package dev.roost.gate.crowd;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The leader's end of one [Follower]. Confined to one thread.
final class FollowerProcess implements AutoCloseable {
  private static final long END_SECONDS_MAX = 20;

  private final Process process;
  private final PrintWriter orders;
  private final BufferedReader answers;

  /// Starts it; what it says on its standard error goes to ours.
  ///
  /// @throws IOException if there is no such command
  FollowerProcess(List<String> command) throws IOException {
    this.process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    this.orders = new PrintWriter(process.outputWriter(), true);
    this.answers = process.inputReader();
  }

  /// Says it, and does not wait.
  void say(String order) {
    orders.println(order);
  }

  /// Waits for the answer to the oldest order without one.
  ///
  /// @throws IllegalStateException if the process has ended
  String hear() {
    try {
      String answer = answers.readLine();
      if (answer == null) {
        throw new IllegalStateException("client process " + process.pid() + " has ended");
      }
      return answer;
    } catch (IOException broken) {
      throw new IllegalStateException("client process " + process.pid() + " was lost", broken);
    }
  }

  @Override
  public void close() {
    orders.close();
    try {
      if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException stopped) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
