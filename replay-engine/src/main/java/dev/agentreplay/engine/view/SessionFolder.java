package dev.agentreplay.engine.view;

import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.ParallelSessions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The sessions of a directory, read in parallel. Immutable; safe for use by several threads.
 *
 * <pre>{@code
 * try (Stream<FolderEntry<SessionSummary>> entries = SessionFolder.at(directory).summaries()) {
 *   entries.forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>A session that cannot be read has an entry with the reason, and does not affect the others.
 * One thread reads one session. Memory is bounded by what is read of
 * {@value ParallelSessions#LOOK_AHEAD} sessions per thread.
 */
public final class SessionFolder {

  private final Iterable<SessionLocation> places;
  private final ParallelSessions parallel;

  private SessionFolder(Iterable<SessionLocation> places, ParallelSessions parallel) {
    this.places = Objects.requireNonNull(places, "places");
    this.parallel = parallel;
  }

  /**
   * Returns the sessions in a directory and everywhere below it, in the order of
   * {@link Sessions#find(Path)}, with as many threads as there are processors.
   */
  public static SessionFolder at(Path directory) {
    return of(Sessions.find(directory));
  }

  /** Returns the sessions at several places, with as many threads as there are processors. */
  public static SessionFolder of(Iterable<SessionLocation> places) {
    return new SessionFolder(places, ParallelSessions.defaults());
  }

  /**
   * Returns these sessions, to be read with this number of threads.
   *
   * @param newThreads the number, from 1 to {@value ParallelSessions#MAX_THREADS}
   * @throws IllegalArgumentException if {@code newThreads} is out of range
   */
  public SessionFolder withThreads(int newThreads) {
    return new SessionFolder(places, ParallelSessions.withThreads(newThreads));
  }

  /**
   * Reads the summaries of the sessions. One with a {@link SessionSummary#doubt} is unreadable.
   *
   * @return the entries in the order of the places, as {@link #read} returns them
   */
  public Stream<FolderEntry<SessionSummary>> summaries() {
    return read(SessionFolder::summary);
  }

  private static SessionSummary summary(Session session) throws IOException {
    SessionSummary summary = SessionSummary.read(session);
    if (summary.doubt() != null) {
      throw new IOException("%s: %s".formatted(session.log(), summary.doubt()));
    }
    return summary;
  }

  /**
   * Reads a session; called by several threads at once, for a different session each.
   *
   * @param <T> the type of what is read of a session
   */
  @FunctionalInterface
  public interface Reading<T> {

    /**
     * Reads a session, which is closed afterwards.
     *
     * @throws IOException if it cannot be read: the reason in its entry
     */
    T read(Session session) throws IOException;
  }

  /**
   * Reads the sessions. An unchecked exception of a reading is thrown in place of its entry.
   *
   * <p>Nothing happens before the first entry is requested. The thread that takes the entries
   * iterates over the places, at most {@value ParallelSessions#LOOK_AHEAD} per thread ahead. The
   * threads have ended when all entries were taken. Closing the stream earlier waits for the
   * sessions that are being read, whose threads are interrupted.
   *
   * @param reading reads one session
   * @param <T> the type of what is read of a session
   * @return the entries in the order of the places, as a sequential stream that the caller must
   *     close
   */
  public <T> Stream<FolderEntry<T>> read(Reading<T> reading) {
    Objects.requireNonNull(reading, "reading");
    return parallel.map(places, place -> entry(place, reading));
  }

  private static <T> FolderEntry<T> entry(SessionLocation place, Reading<T> reading) {
    try (OpenSession open = place.open()) {
      return new FolderEntry.Loaded<>(place.path(), reading.read(open.session()));
    } catch (IOException e) {
      return new FolderEntry.Failed<>(place.path(), e);
    }
  }
}
