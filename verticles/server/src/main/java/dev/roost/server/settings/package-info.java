/// What can be set, one record per prefix of the settings file. Values are checked when made.
@NullMarked
package dev.roost.server.settings;

import org.jspecify.annotations.NullMarked;
