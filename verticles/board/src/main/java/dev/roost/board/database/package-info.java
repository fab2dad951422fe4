/// The SQLite file: checked, migrated, pooled, checkpointed.
@NullMarked
package dev.roost.board.database;

import org.jspecify.annotations.NullMarked;
