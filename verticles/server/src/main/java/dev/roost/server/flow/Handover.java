package dev.roost.server.flow;

import java.util.concurrent.Semaphore;

/// Room for what other threads send to one client and its event loop has not written yet, so that
/// the loop's queue does not grow without end. Thread-safe.
public final class Handover {

  private final Semaphore room;

  /// @param messagesMax messages on their way at once, 1 or more
  public Handover(int messagesMax) {
    this.room = new Semaphore(messagesMax);
  }

  /// Takes room for one message. A virtual thread, which may wait, waits for it.
  ///
  /// @return false if there is none: the sender is faster than its client, or was interrupted
  public boolean enter() {
    if (!Thread.currentThread().isVirtual()) {
      return room.tryAcquire();
    }
    try {
      room.acquire();
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// The message is written, or never will be.
  public void leave() {
    room.release();
  }
}
