package dev.roost.gate.verdict;

/// What became of one request. Exactly one is counted for each connection that was to be asked.
public enum Outcome {
  /// A 200 with the expected body.
  GOOD("answered well"),
  /// No TCP connection came about.
  UNCONNECTED("could not connect"),
  /// The TLS 1.3 handshake failed.
  UNSHAKEN("failed the TLS handshake"),
  /// An HTTP answer with another status than 200.
  WRONG_STATUS("answered another status than 200"),
  /// A 200 with another body than the expected one.
  WRONG_BODY("answered another body"),
  /// Bytes that are no HTTP/1.1 answer with a length.
  MALFORMED("answered no HTTP/1.1 with a length"),
  /// The connection was closed before its answer was whole.
  CLOSED("closed before the answer"),
  /// Nothing whole came before the time was up.
  UNANSWERED("not answered in time");

  private final String words;

  Outcome(String words) {
    this.words = words;
  }

  /// The outcome as the end of a sentence that starts with a number.
  public String words() {
    return words;
  }
}
