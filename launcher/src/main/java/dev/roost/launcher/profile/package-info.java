/// Profiles: named values that fill only what nobody set.
@NullMarked
package dev.roost.launcher.profile;

import org.jspecify.annotations.NullMarked;
