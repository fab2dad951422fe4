/// From settings to a running application. The only package that names a concrete one.
@NullMarked
package dev.roost.launcher.deploy;

import org.jspecify.annotations.NullMarked;
