package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Salt;
import dev.agentreplay.publish.SaltFile;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --salt-file}: the salt of a session whose log has none. */
public final class SaltOption {

  @Option(
      names = "--salt-file",
      paramLabel = "FILE",
      description = "Salt of a session whose log has none (default: " + SaltFile.NAME
          + " next to the log). Keep it secret.")
  private @Nullable Path file;

  /** The file that is used for a session. */
  public Path file(Session session) {
    return file == null ? SaltFile.of(session) : file;
  }

  /** The salt to publish with; null if the log has one. A new one is written to the file. */
  public @Nullable Salt toPublish(Session session) throws IOException {
    if (!needsSalt(session)) {
      return null;
    } else if (file == null && session.log().getFileSystem() != FileSystems.getDefault()) {
      throw new UsageException(
          "the log of this packed session has no salt; --salt-file names the file for a new one");
    }
    return SaltFile.readOrCreate(file(session));
  }

  /** The salt with which a session was published; null if its log has one, or there is none. */
  public @Nullable Salt toDisclose(Session session) throws IOException {
    boolean isThere = file != null || Files.exists(SaltFile.of(session));
    return needsSalt(session) && isThere ? SaltFile.read(file(session)) : null;
  }

  /**
   * Whether a log has a header without a salt, and is not a published copy. If not, a file that was
   * specified would be ignored.
   */
  private boolean needsSalt(Session session) throws IOException {
    ReplayLine first = session.firstLine();
    if (first == null || !(first.event() instanceof ReplayHeader header)) {
      return false;
    }
    boolean isPublished = first.json().has(Names.PUBLISHED);
    if (file != null && (isPublished || header.salt() != null)) {
      throw new UsageException(
          isPublished
              ? "--salt-file: the session is a published copy, which has no salt"
              : "--salt-file: the log has a salt of its own");
    }
    return header.salt() == null && !isPublished;
  }
}
