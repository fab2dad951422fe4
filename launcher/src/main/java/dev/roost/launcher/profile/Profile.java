package dev.roost.launcher.profile;

import dev.roost.launcher.config.Assignment;
import java.util.List;

/// Named values that fill only what nobody set. Immutable.
///
/// @param values those this version can serve
/// @param shortfalls one line for each value it cannot serve yet
record Profile(String name, List<Assignment> values, List<String> shortfalls) {}
