package dev.roost.server.topic;

import java.util.ArrayList;
import java.util.List;

/// The last messages of a topic, in the order of their numbers, in a ring that grows with them.
/// Guarded by its log.
final class Ring {

  private static final int LENGTH_MIN = 16;

  /// A power of two each; what has no message is never read.
  private TopicMessage[] messages = new TopicMessage[LENGTH_MIN];

  private long[] numbers = new long[LENGTH_MIN];

  /// How many were ever dropped: where the oldest stands.
  private long first;

  private int size;

  int size() {
    return size;
  }

  /// @param number above all that are there
  void add(long number, TopicMessage message) {
    if (size == messages.length) {
      widen();
    }
    var place = place(size);
    messages[place] = message;
    numbers[place] = number;
    size++;
  }

  /// Takes the oldest out.
  ///
  /// @return its number
  @SuppressWarnings("NullAway") // a place without a message is never read
  long drop() {
    var place = place(0);
    messages[place] = null;
    first++;
    size--;
    return numbers[place];
  }

  TopicMessage oldest() {
    return messages[place(0)];
  }

  /// The messages after that number, oldest first, within the bounds of one batch.
  ///
  /// @return one at least
  Batch after(long number, int messagesMax, long bytesMax) {
    List<TopicMessage> batch = new ArrayList<>();
    var bytes = 0L;
    var next = firstAfter(number);
    for (; next < size && batch.size() < messagesMax; next++) {
      var message = messages[place(next)];
      bytes += message.bytes();
      if (bytes > bytesMax && !batch.isEmpty()) {
        break;
      }
      batch.add(message);
    }
    return new Batch(batch, numbers[place(next - 1)]);
  }

  /// Where the first one above `number` stands, by halving.
  private int firstAfter(long number) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (numbers[place(middle)] > number) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void widen() {
    var widerMessages = new TopicMessage[messages.length * 2];
    var widerNumbers = new long[messages.length * 2];
    for (var index = 0; index < size; index++) {
      var place = (int) ((first + index) & (widerMessages.length - 1));
      widerMessages[place] = messages[place(index)];
      widerNumbers[place] = numbers[place(index)];
    }
    messages = widerMessages;
    numbers = widerNumbers;
  }

  private int place(int index) {
    return (int) ((first + index) & (messages.length - 1));
  }
}
