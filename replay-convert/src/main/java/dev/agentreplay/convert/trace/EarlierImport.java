package dev.agentreplay.convert.trace;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.SourceFiles;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionDirectory;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An earlier import in a directory: one session, or the sessions of one source, each in a directory
 * of its own. The directory may have other files as well.
 *
 * @param directory the directory of the import
 * @param sessions the directories of its sessions
 * @param origin the source that all of them state
 */
record EarlierImport(Path directory, List<Path> sessions, JsonObject origin) {

  private static final int MAX_ACCOUNT_BYTES = 64 << 20;

  /** Returns the import in a directory; null if there is none. */
  static @Nullable EarlierImport find(Path directory) throws IOException {
    if (!SourceFiles.isDirectory(directory)) {
      return null;
    }
    JsonObject origin = origin(directory);
    if (origin != null) {
      return new EarlierImport(directory, List.of(directory), origin);
    }
    List<Path> sessions = new ArrayList<>();
    for (Path entry : SourceFiles.entries(directory)) {
      JsonObject other = SourceFiles.isDirectory(entry) ? origin(entry) : null;
      if (other != null) {
        if (origin != null && !origin.equals(other)) {
          return null; // a directory of imports
        }
        origin = other;
        sessions.add(entry);
      }
    }
    // one session would not have a directory of its own
    return origin == null || sessions.size() < 2
        ? null
        : new EarlierImport(directory, List.copyOf(sessions), origin);
  }

  /** Whether a directory is that of an imported session. */
  static boolean isSession(Path directory) {
    return SourceFiles.isFile(directory.resolve(ImportedSession.FILE_NAME));
  }

  /** The origin in the account of a session; null if the directory has no valid one. */
  private static @Nullable JsonObject origin(Path session) throws IOException {
    return isSession(session)
            && parse(session.resolve(ImportedSession.FILE_NAME)) instanceof JsonObject account
            && JsonString.of(ImportedSession.SCHEMA).equals(account.get("schema"))
            && account.get(Names.IMPORTED_FROM) instanceof JsonObject origin
        ? origin
        : null;
  }

  private static @Nullable JsonValue parse(Path file) throws IOException {
    byte[] bytes = RegularFiles.read(file, MAX_ACCOUNT_BYTES);
    try {
      return bytes == null ? null : JsonText.parse(bytes);
    } catch (JsonSyntaxException e) {
      return null;
    }
  }

  /**
   * Returns the first file, link or directory in the directory that does not belong to a session,
   * which must not be deleted; null if there is none.
   */
  @Nullable
  Path foreign() throws IOException {
    if (sessions.contains(directory)) {
      return foreign(directory);
    }
    for (Path entry : SourceFiles.entries(directory)) {
      Path found = sessions.contains(entry) ? foreign(entry) : entry;
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable Path foreign(Path session) throws IOException {
    for (Path entry : SourceFiles.entries(session)) {
      String name = String.valueOf(entry.getFileName());
      if (name.equals(Session.BLOBS_NAME) && SourceFiles.isDirectory(entry)) {
        for (Path blob : SourceFiles.entries(entry)) {
          String blobName = String.valueOf(blob.getFileName());
          if (!SourceFiles.isFile(blob)
              || !(SessionDirectory.isBlob(blobName) || SessionDirectory.isLeftover(blobName))) {
            return blob;
          }
        }
      } else if (!SourceFiles.isFile(entry) || !isOfSession(name)) {
        return entry;
      }
    }
    return null;
  }

  private static boolean isOfSession(String name) {
    return name.equals(ImportedSession.FILE_NAME)
        || name.equals(Session.SUMMARY_NAME)
        || name.equals(Session.ACCEPTED_NAME)
        || SessionDirectory.isOfSession(name)
        || SessionDirectory.isLeftover(name);
  }

  /** Whether the log of each session exists, and is the one that its receipt names. */
  boolean isIntact() {
    for (Path session : sessions) {
      try {
        JsonValue receipt = parse(session.resolve(Session.RECEIPT_NAME));
        if (!(receipt instanceof JsonObject members)
            || !JsonString.of(Session.open(session).replayHash().toString())
                .equals(members.get(Names.REPLAY_HASH))) {
          return false;
        }
      } catch (IOException e) { // missing, or it cannot be read
        return false;
      }
    }
    return true;
  }
}
