package dev.agentreplay.cli.output;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionDirectory;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.ReplayHeader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of the session of a replay. It is new or empty, or has the session of an earlier
 * replay, which is replaced when the new one is recorded.
 */
public final class OutDirectory implements Closeable {

  private final Path directory;

  /** The place of the session that is replaced; null if there is none. */
  private final @Nullable Path old;

  private OutDirectory(Path directory, @Nullable Path old) {
    this.directory = directory;
    this.old = old;
  }

  /**
   * The reason why a directory cannot be used; null if it can.
   *
   * @param overwrite whether the session of an earlier replay is replaced
   * @param outputs the names of files in it that the command replaces, too
   */
  public static @Nullable String fault(Path directory, boolean overwrite, Set<String> outputs)
      throws IOException {
    if (FileTree.isNewOrEmpty(directory)) {
      return null;
    }
    boolean isReplaceable = isOfReplay(directory, outputs);
    if (overwrite && isReplaceable) {
      return Session.open(directory).isBeingWritten() ? directory + " is being written" : null;
    }
    return "expected a new or empty directory, found " + directory
        + (overwrite
            ? "; --overwrite replaces only the session of a replay, without other files"
            : isReplaceable ? "; --overwrite replaces it" : "");
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(entry -> String.valueOf(entry.getFileName())).toList();
    }
  }

  /** Whether a directory has the session of a replay, its ledger, and no other files. */
  private static boolean isOfReplay(Path directory, Set<String> outputs) throws IOException {
    return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        && Files.isRegularFile(directory.resolve(Replay.LEDGER_NAME))
        && names(directory).stream().allMatch(name -> isOfReplay(name) || outputs.contains(name))
        && Sessions.isSession(directory)
        && statesReplay(directory);
  }

  private static boolean isOfReplay(String name) {
    return name.equals(Replay.LEDGER_NAME)
        || name.equals(Session.BLOBS_NAME)
        || name.equals(Session.SNAPSHOT_NAME)
        || SessionDirectory.isOfSession(name)
        || SessionDirectory.isLeftover(name);
  }

  private static boolean statesReplay(Path directory) {
    try {
      ReplayLine first = Session.open(directory).firstLine();
      return first != null
          && first.event() instanceof ReplayHeader header
          && header.replayOf() != null;
    } catch (IOException unreadable) {
      return false;
    }
  }

  /**
   * Opens a directory for a new session: moves that of an earlier replay aside, if there is one.
   *
   * @throws FileAlreadyExistsException if it cannot be used, because a different program has
   *     written to it since it was checked
   */
  public static OutDirectory open(Path directory, boolean overwrite, Set<String> outputs)
      throws IOException {
    if (fault(directory, overwrite, outputs) != null) {
      throw new FileAlreadyExistsException(directory.toString());
    }
    if (FileTree.isNewOrEmpty(directory)) {
      return new OutDirectory(directory, null);
    }
    Path path = directory.toAbsolutePath().normalize();
    Path old = path.resolveSibling(
        path.getFileName() + ".replaced-" + ProcessHandle.current().pid());
    Files.move(path, old);
    return new OutDirectory(directory, old);
  }

  /** Deletes the earlier session if there is a new one; otherwise moves it back. */
  @Override
  public void close() throws IOException {
    if (old == null) {
      return;
    }
    if (Files.exists(directory.resolve(Replay.LEDGER_NAME))) {
      FileTree.delete(old);
    } else {
      Files.deleteIfExists(directory);
      Files.move(old, directory.toAbsolutePath().normalize());
    }
  }
}
