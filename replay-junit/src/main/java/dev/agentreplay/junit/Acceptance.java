package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.junit.ReplaySettings.Update;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a session that is not as it was recorded, or was not recorded before: it is put
 * beside the recording, as {@code <recording>.received}, or in its place, as {@code replay.update}
 * says. On a build server, where the environment has {@code CI}, nothing is written. Safe for use
 * by several threads, and by several processes of one module.
 *
 * <p>No file of a recording is deleted. A session gets into its place from {@code .received}, which
 * is gone then. What was received stays when the test passes because the agent was changed instead.
 */
final class Acceptance {

  private static final ReentrantLock LOCK = new ReentrantLock();

  /** Which test has written a recording in this process; guarded by the lock. */
  private static final Map<Path, String> WRITTEN = new HashMap<>();

  /** The folders whose attributes were looked at in this process; guarded by the lock. */
  private static final Set<Path> PROTECTED = new HashSet<>();

  private final ReplaySettings settings;
  private final Consumer<String> notes;

  /**
   * With settings.
   *
   * @param notes is told of each recording that is written
   */
  Acceptance(ReplaySettings settings, Consumer<String> notes) {
    this.settings = settings;
    this.notes = notes;
  }

  /** As system properties and environment say. */
  static Acceptance current() {
    return new Acceptance(ReplaySettings.current(), System.out::println);
  }

  /**
   * Offers a session as the recording.
   *
   * @param actual what the test has recorded; may still be recorded
   * @param recording what it was compared with; its log may not be there
   * @param options how it was compared
   * @return null if it was taken for the recording, or else where it lies and how to accept it, for
   *     people, in one or more lines
   */
  @Nullable
  String offer(Session actual, Session recording, DiffOptions options) throws IOException {
    Path place = place(recording);
    if (settings.ci()) {
      return refused(actual, place);
    }
    LOCK.lock();
    try (FileChannel channel = lockFile()) {
      channel.lock(); // until it is closed
      return offerLocked(actual, place, options);
    } finally {
      LOCK.unlock();
    }
  }

  private @Nullable String offerLocked(Session actual, Path place, DiffOptions options)
      throws IOException {
    boolean isThere = isRecording(place);
    String writer = isThere ? WRITTEN.get(place) : null;
    if (writer != null
        && SessionDiff.between(Session.open(place), actual, options).isIdentical()) {
      return null; // it was written while this one was compared
    }
    Path received = RecordingsFolder.received(place);
    SessionFolder.clear(received);
    SessionFolder.copy(actual, received);
    TestCommand test = TestCommand.current(settings);
    if (writer != null) {
      return "%s has recorded another session as %s in this run; this one lies in %s"
          .formatted(writer, place, received);
    }
    if (settings.update() == Update.NONE || (settings.update() == Update.MISSING && isThere)) {
      return "this session lies in %s%n%s"
          .formatted(received, test.accepting(isThere ? Update.ALL : Update.MISSING));
    }
    if (RecordingsFolder.isLog(place)) {
      String reason = SessionFolder.moveLog(received, place);
      if (reason != null) {
        return "%s cannot be replaced: %s; this session lies in %s"
            .formatted(place, reason, received);
      }
    } else {
      SessionFolder.move(received, place);
    }
    WRITTEN.put(place, test.name());
    notes.accept("replay: %s %s".formatted(isThere ? "replaced" : "recorded", place));
    Path parent = place.getParent();
    if (parent != null && PROTECTED.add(folder(parent))) {
      String note = GitAttributes.protect(folder(parent));
      if (note != null) {
        notes.accept(note);
      }
    }
    return null;
  }

  /** The folder of recordings, or where a recording is that is elsewhere. */
  private Path folder(Path parent) {
    return parent.startsWith(settings.recordings()) ? settings.recordings() : parent;
  }

  /** What is said where nothing may be written. */
  private String refused(Session actual, Path place) {
    String update = settings.update() == Update.NONE
        ? ""
        : "%s=%s is refused; "
            .formatted(ReplaySettings.UPDATE, ReplaySettings.name(settings.update()));
    return ("%snothing is written to %s, because the environment variable CI is set%n"
            + "this session lies in %s%nto accept it, run the test where CI is not set")
        .formatted(update, place, actual.log().toAbsolutePath().getParent());
  }

  private FileChannel lockFile() throws IOException {
    Files.createDirectories(settings.output());
    return FileChannel.open(
        settings.output().resolve("accept.lock"),
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE);
  }

  /** The path of a recording: its directory, or its log if that has another name. */
  static Path place(Session recording) {
    Path log = recording.log().toAbsolutePath().normalize();
    boolean isNamed = log.endsWith(Session.LOG_NAME) || log.endsWith(Session.COMPRESSED_LOG_NAME);
    Path directory = log.getParent();
    // the root of a file system has no name, and nothing beside it
    return isNamed && directory != null && directory.getFileName() != null ? directory : log;
  }

  private static boolean isRecording(Path place) {
    return Files.isRegularFile(place) || Sessions.isSession(place);
  }
}
