package dev.roost.board.database;

import java.lang.System.Logger.Level;
import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;

/// Flyway's words in our log: its news are debug news here, its warnings stay warnings. Public
/// because Flyway makes it by name. Immutable.
public final class FlywayLogs implements LogCreator {
  @Override
  public Log createLogger(Class<?> type) {
    return new SystemLog(System.getLogger("dev.roost.board.database"));
  }

  private record SystemLog(System.Logger log) implements Log {
    @Override
    public void debug(String message) {
      log.log(Level.TRACE, message);
    }

    @Override
    public void info(String message) {
      log.log(Level.DEBUG, message);
    }

    @Override
    public void warn(String message) {
      log.log(Level.WARNING, message);
    }

    @Override
    public void error(String message) {
      // Also thrown, and told in one line by whoever opened the database.
      log.log(Level.DEBUG, message);
    }

    @Override
    public void error(String message, Exception cause) {
      log.log(Level.DEBUG, message, cause);
    }

    @Override
    public void notice(String message) {
      log.log(Level.DEBUG, message);
    }

    @Override
    @SuppressWarnings("deprecation") // still abstract, so it has to be there
    public boolean isDebugEnabled() {
      return false;
    }
  }
}
