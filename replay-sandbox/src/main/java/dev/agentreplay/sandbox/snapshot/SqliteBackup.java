package dev.agentreplay.sandbox.snapshot;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The backup of databases by the JDBC driver of SQLite, if it is on the class path. */
final class SqliteBackup {

  private static final String DRIVER = "org.sqlite.JDBC";

  /** The place of the four bytes of the schema cookie. */
  private static final int SCHEMA_COOKIE = 40;

  private final Driver driver;

  private SqliteBackup(Driver driver) {
    this.driver = driver;
  }

  /** The backup; null if the driver is missing. */
  static @Nullable SqliteBackup find() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context == null ? SqliteBackup.class.getClassLoader() : context;
    try {
      Object driver =
          Class.forName(DRIVER, true, loader).getDeclaredConstructor().newInstance();
      return new SqliteBackup((Driver) driver);
    } catch (ReflectiveOperationException | LinkageError missing) {
      return null;
    }
  }

  /**
   * Copies a database in one state, with the changes in its journals, while other programs may
   * write to it. Databases with the same tables and rows have the same copies, whatever was done to
   * them before, so that copies can be compared: their pages are written again, and the counter of
   * changes to the schema is reset, the only number of the header that a copy takes over.
   *
   * @param copy the copy, which is missing or empty
   */
  void copy(Path database, Path copy) throws IOException {
    URI uri = database.toUri(); // escapes characters that begin the parameters
    String url = "jdbc:sqlite:file:" + uri.getRawPath() + "?mode=ro";
    try (Connection connection = driver.connect(url, new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute("VACUUM INTO '" + copy.toString().replace("'", "''") + "'");
      resetSchemaVersion(copy);
    } catch (SQLException e) {
      throw new IOException(
          "%s: the database cannot be copied: %s".formatted(database, e.getMessage()), e);
    }
  }

  /** Sets the schema cookie, see section 1.3.9 of the description of the file format of SQLite. */
  private static void resetSchemaVersion(Path copy) throws IOException {
    try (FileChannel file = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      if (file.size() > SCHEMA_COOKIE) {
        file.write(ByteBuffer.wrap(new byte[] {0, 0, 0, 1}), SCHEMA_COOKIE);
      }
    }
  }
}
