/// JavaScript by GraalJS: an optional part, whose engine may be missing from the class path. What a
/// script may call is public and marked `@HostAccess.Export`; nothing else of Java reaches it.
@NullMarked
package dev.roost.polyglot.javascript;

import org.jspecify.annotations.NullMarked;
