package dev.agentreplay.cli.input;

import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.convert.trace.OpenTrace;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The sessions that several names mean, found as they are asked for: a directory means all in it
 * and below it, and a trace of a different tool the session that it is imported as. Each name means
 * one at least, which may be a failure.
 */
public final class SessionLocations implements Iterable<SessionLocation> {

  private final SessionInput input;
  private final List<String> names;

  public SessionLocations(SessionInput input, List<String> names) {
    this.input = input;
    this.names = names;
  }

  /** Whether there are more than one. */
  public boolean areSeveral() {
    Iterator<SessionLocation> places = iterator();
    places.next();
    return places.hasNext();
  }

  /** The number of them, which are found again. */
  public long count() {
    long count = 0;
    for (Iterator<SessionLocation> places = iterator(); places.hasNext(); places.next()) {
      count++;
    }
    return count;
  }

  @Override
  public Iterator<SessionLocation> iterator() {
    Iterator<String> rest = names.iterator();
    return new Iterator<>() {
      private Iterator<SessionLocation> ofName = Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        return ofName.hasNext() || rest.hasNext();
      }

      @Override
      public SessionLocation next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        if (!ofName.hasNext()) {
          ofName = places(rest.next());
        }
        return ofName.next();
      }
    };
  }

  private Iterator<SessionLocation> places(String name) {
    Path path;
    try {
      path = input.resolve(name);
    } catch (NoSuchFileException e) {
      return List.of(SessionLocation.unreadable(Path.of(""), e)).iterator();
    }
    NoSuchFileException refused = input.refusal(path);
    if (refused != null) {
      return List.of(SessionLocation.unreadable(path, refused)).iterator();
    }
    if (OpenTrace.isTrace(path)) {
      return List.of(SessionLocation.of(path, input::openTrace)).iterator();
    }
    if (!Files.isDirectory(path)) {
      return List.of(file(path)).iterator();
    }
    Iterator<SessionLocation> below = Sessions.find(path).iterator();
    return below.hasNext()
        ? below
        : List.of(SessionLocation.unreadable(path, none(path))).iterator();
  }

  private static SessionLocation file(Path path) {
    try {
      return PackedSession.isPacked(path)
          ? SessionLocation.of(path, PackedSession::open)
          : SessionLocation.of(path);
    } catch (IOException e) {
      return SessionLocation.unreadable(path, e);
    }
  }

  private static NoSuchFileException none(Path path) {
    return new NoSuchFileException(
        path.toString(),
        null,
        "directory holds no REPLAY.jsonl, nor does any below it; expected a log, a session"
            + " directory, or a directory of sessions");
  }
}
