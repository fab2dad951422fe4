/// Routes written in other languages than Java.
@NullMarked
package dev.roost.polyglot;

import org.jspecify.annotations.NullMarked;
