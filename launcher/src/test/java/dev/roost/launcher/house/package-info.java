/// Rules about the code of all modules: who may know whom, and how large things may grow.
@NullMarked
package dev.roost.launcher.house;

import org.jspecify.annotations.NullMarked;
