/// What was measured, what is allowed, and the pure function from both to PASS or FAIL.
@NullMarked
package dev.roost.gate.verdict;

import org.jspecify.annotations.NullMarked;
