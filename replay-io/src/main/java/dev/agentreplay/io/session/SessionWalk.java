package dev.agentreplay.io.session;

import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.model.UnknownEvent;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Iterates over the sessions below a directory. No directory is open between two calls. */
final class SessionWalk implements Iterator<SessionLocation> {

  private static final Comparator<Found> BY_NAME =
      Comparator.comparing(found -> found.path().getFileName().toString());

  /** The directories and files that were not visited yet, in the order of visiting. */
  private final Deque<Found> pending = new ArrayDeque<>();

  private @Nullable SessionLocation next;
  private boolean isBelow;

  SessionWalk(Path root) {
    pending.push(new Found(root, true, null));
  }

  @Override
  public boolean hasNext() {
    while (next == null && !pending.isEmpty()) {
      Found found = pending.pop();
      try {
        next = place(found);
      } catch (DirectoryIteratorException e) {
        next = failed(found, Objects.requireNonNull(e.getCause()));
      } catch (IOException e) {
        next = failed(found, e);
      }
      isBelow = true;
    }
    return next != null;
  }

  @Override
  public SessionLocation next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    SessionLocation found = next;
    next = null;
    return found;
  }

  private @Nullable SessionLocation place(Found found) throws IOException {
    if (found.skipped() != null) {
      return SessionLocation.unreadable(found.path(), found.skipped());
    }
    if (found.isDirectory()) {
      return visit(found.path());
    }
    return isLog(found.path()) ? SessionLocation.of(found.path()) : null;
  }

  private SessionLocation failed(Found found, IOException cause) {
    return SessionLocation.unreadable(
        found.path(), isBelow ? new SessionSkippedException(found.path(), cause) : cause);
  }

  /**
   * Adds the entries of a directory in front of the pending ones. Returns the session that the
   * directory contains, or null.
   */
  private @Nullable SessionLocation visit(Path directory) throws IOException {
    boolean isSession = false;
    List<Found> inside = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        isSession |= SessionDirectory.isOfSession(name);
        Found found = found(entry, name);
        if (found != null) {
          inside.add(found);
        }
      }
    }
    inside.sort(BY_NAME);
    Collections.reverse(inside);
    inside.forEach(pending::push);
    return isSession ? SessionLocation.of(directory) : null;
  }

  /** The entry to visit later; null if it is not a session and cannot contain one. */
  private static @Nullable Found found(Path entry, String name) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isDirectory()) {
        return new Found(entry, true, null);
      }
      if (attributes.isSymbolicLink()) {
        // opening the session reports that its log is a link
        boolean leadsOn = Files.readAttributes(entry, BasicFileAttributes.class).isDirectory()
            || isOtherLog(name);
        return leadsOn ? skipped(entry, "a link, which is not followed") : null;
      }
      return attributes.isRegularFile() && isOtherLog(name) ? new Found(entry, false, null) : null;
    } catch (NoSuchFileException e) {
      return null; // it was removed meanwhile, or is a dangling link
    } catch (IOException e) {
      return skipped(entry, e);
    }
  }

  private static Found skipped(Path entry, String reason) {
    return new Found(entry, false, new SessionSkippedException(entry, reason));
  }

  private static Found skipped(Path entry, IOException cause) {
    return new Found(entry, false, new SessionSkippedException(entry, cause));
  }

  /** Whether a file may be a log by its name, and does not belong to a session's directory. */
  private static boolean isOtherLog(String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    return (lowerCase.endsWith(".jsonl") || lowerCase.endsWith(".jsonl.gz"))
        && !SessionDirectory.isOfSession(name);
  }

  /**
   * Whether one of the first two lines of a file is an event, or the file cannot be read from disk.
   */
  private static boolean isLog(Path file) {
    try (ReplayReader reader = ReplayReader.open(file)) {
      return isEvent(reader) || (reader.foreignFormat() == null && isEvent(reader));
    } catch (IOException e) {
      return !(e instanceof ReplayFormatException);
    }
  }

  private static boolean isEvent(ReplayReader reader) throws IOException {
    try {
      ReplayLine line = reader.read();
      return line != null
          && reader.foreignFormat() == null
          && !(line.event() instanceof UnknownEvent);
    } catch (ReplayFormatException damaged) {
      return false; // the second line decides
    }
  }

  /**
   * An entry of a directory.
   *
   * @param path its path
   * @param isDirectory whether it is a directory; otherwise it is a file that may be a log
   * @param skipped the reason why it is not visited; null if it is
   */
  private record Found(Path path, boolean isDirectory, @Nullable SessionSkippedException skipped) {}
}
