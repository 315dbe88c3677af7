package dev.agentreplay.io;

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
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The sessions below a directory, found one by one. No directory is open between two of them. */
final class SessionWalk implements Iterator<SessionPlace> {

  private static final Comparator<Path> BY_NAME =
      Comparator.comparing(path -> path.getFileName().toString());

  /** Directories that were not looked into yet, the next one first. */
  private final Deque<Path> pending = new ArrayDeque<>();

  private final Path root;
  private @Nullable SessionPlace next;

  SessionWalk(Path root) {
    this.root = root;
    pending.push(root);
  }

  @Override
  public boolean hasNext() {
    while (next == null && !pending.isEmpty()) {
      Path directory = pending.pop();
      try {
        next = visit(directory);
      } catch (DirectoryIteratorException e) {
        next = new SessionPlace(directory, e.getCause());
      } catch (IOException e) {
        next = new SessionPlace(directory, e);
      }
    }
    return next != null;
  }

  @Override
  public SessionPlace next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    SessionPlace found = next;
    next = null;
    return found;
  }

  /** Puts those in a directory before the others. Returns the session that it holds, or null. */
  private @Nullable SessionPlace visit(Path directory) throws IOException {
    boolean isLink = !directory.equals(root) && Files.isSymbolicLink(directory);
    boolean isSession = false;
    List<Path> inside = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        isSession |= Sessions.isOfSession(entry.getFileName().toString());
        if (mayBeDirectory(entry)) {
          inside.add(entry);
        }
      }
    }
    if (isLink) { // which may lead back to where the walk came from
      return isSession
          ? SessionPlace.of(directory)
          : new SessionPlace(
              directory, new IOException(directory + ": a link to a directory is not followed"));
    }
    if (isSession) {
      inside.removeIf(SessionWalk::belongsToSession);
    }
    inside.sort(BY_NAME);
    Collections.reverse(inside);
    inside.forEach(pending::push);
    return isSession ? SessionPlace.of(directory) : null;
  }

  /** Also true of what cannot be told, so that looking into it says why. */
  private static boolean mayBeDirectory(Path entry) {
    try {
      return Files.isDirectory(entry)
          || Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .isDirectory();
    } catch (NoSuchFileException e) {
      return false; // it was removed since
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean belongsToSession(Path directory) {
    String name = directory.getFileName().toString();
    return name.equals(Session.BLOBS_NAME) || name.equals(Sessions.SNAPSHOT_NAME);
  }
}
