package dev.roost.server.body;

/// A form that cannot be read: 400, with words for whoever wrote the client.
public final class BrokenForm extends RuntimeException {

  private static final long serialVersionUID = 1;

  private BrokenForm(String message) {
    super(message, null, false, false);
  }

  static BrokenForm withoutBoundary() {
    return new BrokenForm("multipart/form-data needs a boundary parameter");
  }

  static BrokenForm unfinished() {
    return new BrokenForm("the form ends before its closing boundary");
  }

  static BrokenForm malformed() {
    return new BrokenForm("the form is malformed");
  }
}
