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
 * Accepts a session that does not match its recording, or has none yet, as a snapshot: depending on
 * {@code replay.update}, the session is written next to the recording, as
 * {@code <recording>.received}, or replaces it. Nothing is written on a build server, where the
 * environment variable {@code CI} is set. Safe for use by several threads, and by several processes
 * that test one module.
 *
 * <p>No file of a recording is deleted. A session is first written to {@code .received} and then
 * moved. A received session is not deleted when the test passes again because the agent was fixed.
 */
final class Acceptance {

  private static final ReentrantLock LOCK = new ReentrantLock();

  /** The test that wrote each recording in this process; guarded by the lock. */
  private static final Map<Path, String> WRITTEN = new HashMap<>();

  /** The folders whose git attributes were checked in this process; guarded by the lock. */
  private static final Set<Path> PROTECTED = new HashSet<>();

  private final ReplaySettings settings;
  private final TestCommand test;
  private final Consumer<String> notes;

  /**
   * Creates an acceptance.
   *
   * @param test the command of the test that offers sessions, with the settings of the test run
   * @param notes the receiver of a message about each recording that is written
   */
  Acceptance(TestCommand test, Consumer<String> notes) {
    this.settings = test.settings();
    this.test = test;
    this.notes = notes;
  }

  /** Returns the acceptance configured by system properties and the environment. */
  static Acceptance current() {
    return new Acceptance(TestCommand.current(ReplaySettings.current()), System.out::println);
  }

  /**
   * Offers a session as the new recording.
   *
   * @param actual the session that the test recorded; it may still be open
   * @param recording the recording that it was compared with; its log need not exist
   * @param options the options of the comparison
   * @return null if the session was accepted, else a text of one or more lines that states its
   *     place and how to accept it
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
        && SessionDiff.between(Session.open(place), actual, options).passes()) {
      return null; // the same recording was written during the comparison
    }
    Path received = RecordingsFolder.received(place);
    SessionFolder.clear(received);
    SessionFolder.copy(actual, received);
    if (writer != null) {
      return ("%s already recorded a different session as %s in this run; the received session is"
              + " in %s")
          .formatted(writer, place, received);
    }
    if (settings.update() == Update.NONE || (settings.update() == Update.MISSING && isThere)) {
      return "the received session is in %s%n%s"
          .formatted(received, test.accepting(isThere ? Update.ALL : Update.MISSING));
    }
    if (RecordingsFolder.isLog(place)) {
      String reason = SessionFolder.moveLog(received, place);
      if (reason != null) {
        return "%s cannot be replaced: %s; the received session is in %s"
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

  /** The folder of recordings, or the parent of a recording outside it. */
  private Path folder(Path parent) {
    return parent.startsWith(settings.recordings()) ? settings.recordings() : parent;
  }

  /** The message if neither a recording nor a received session may be written. */
  private String refused(Session actual, Path place) {
    String update = settings.update() == Update.NONE
        ? ""
        : "%s=%s is refused; "
            .formatted(ReplaySettings.UPDATE, ReplaySettings.name(settings.update()));
    return ("%snothing is written to %s, because the environment variable CI is set%n"
            + "the session of this run is in %s%nto accept it, run the test where CI is not set")
        .formatted(update, place, actual.log().toAbsolutePath().getParent());
  }

  private FileChannel lockFile() throws IOException {
    Files.createDirectories(settings.output());
    return FileChannel.open(
        settings.output().resolve("accept.lock"),
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE);
  }

  /** The path of a recording: its directory, or its log if that has a different name. */
  static Path place(Session recording) {
    Path log = recording.log().toAbsolutePath().normalize();
    boolean isNamed = log.endsWith(Session.LOG_NAME) || log.endsWith(Session.COMPRESSED_LOG_NAME);
    Path directory = log.getParent();
    // the root of a file system has no name and no siblings
    return isNamed && directory != null && directory.getFileName() != null ? directory : log;
  }

  private static boolean isRecording(Path place) {
    return Files.isRegularFile(place) || Sessions.isSession(place);
  }
}
