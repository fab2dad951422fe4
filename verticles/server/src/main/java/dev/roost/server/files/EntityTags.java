package dev.roost.server.files;

import java.util.regex.Pattern;

/// What a client knows by its tag: `*`, or a list of tags (RFC 9110, 8.8.3), in which a tag may
/// have commas of its own.
///
/// @param list as it stands in the header; what is no tag in it is passed over
record EntityTags(String list) {

  private static final Pattern TAG = Pattern.compile("(?<weak>W/)?(?<opaque>\"[^\"]*\")");

  /// Whether `tag` is among them, weak ones included.
  boolean name(String tag) {
    return isAny() || TAG.matcher(list).results().anyMatch(one -> one.group("opaque").equals(tag));
  }

  /// Whether `tag`, which is a strong one, is among them as such.
  boolean nameStrongly(String tag) {
    return isAny() || TAG.matcher(list).results().anyMatch(one -> one.group().equals(tag));
  }

  private boolean isAny() {
    return list.strip().equals("*");
  }
}
