/// Settings: the catalogue of keys, and the places they are read from.
@NullMarked
package dev.roost.launcher.config;

import org.jspecify.annotations.NullMarked;
