package dev.agentreplay.junit;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder of recordings.
 *
 * @param path the folder
 */
record RecordingsFolder(Path path) {

  private static final int NAMES_SHOWN = 10;
  private static final String RECEIVED = ".received";

  /** The path of an existing or future recording: below the folder, or an absolute path. */
  Path place(String value) {
    return path.resolve(value).normalize();
  }

  /**
   * Opens the recording at a path.
   *
   * @throws NoSuchFileException if there is none; the reason lists the files found instead
   */
  Session open(Path place) throws IOException {
    try {
      return Session.open(place);
    } catch (NoSuchFileException e) {
      NoSuchFileException missing = new NoSuchFileException(
          "no recording at " + place,
          null,
          "%s; the folder of recordings is %s, the property %s changes it"
              .formatted(found(place), path, ReplaySettings.RECORDINGS));
      missing.initCause(e);
      throw missing;
    }
  }

  /**
   * Returns a future recording at a path: its log does not exist yet. A name that ends with
   * {@code .jsonl} is the name of a log, any other name that of a directory.
   */
  static Session planned(Path place) {
    return new Session(isLog(place) ? place : place.resolve(Session.LOG_NAME), null);
  }

  /** Whether a path is that of an existing or future log, not that of a session directory. */
  static boolean isLog(Path place) {
    return Files.isRegularFile(place)
        || (place.toString().endsWith(".jsonl") && !Files.isDirectory(place));
  }

  /**
   * Returns the recordings whose paths relative to the folder match a pattern, sorted by path.
   * Received sessions that were not accepted are not recordings.
   *
   * @throws NoSuchFileException if there are none, or the folder does not exist
   */
  List<SessionLocation> matching(String glob) throws IOException {
    String pattern = glob.replaceAll("(?<=[^/])/+$", "");
    PathMatcher matcher = path.getFileSystem().getPathMatcher("glob:" + pattern);
    List<SessionLocation> matching = new ArrayList<>();
    for (SessionLocation each : all()) {
      if (matcher.matches(path.relativize(each.path()))) {
        matching.add(each);
      }
    }
    if (matching.isEmpty()) {
      throw new NoSuchFileException(
          "no recording matches \"%s\" in %s; the property %s changes the folder of recordings"
              .formatted(glob, path, ReplaySettings.RECORDINGS));
    }
    return matching;
  }

  /** Returns all recordings in the folder and below it; none if the folder does not exist. */
  List<SessionLocation> all() {
    List<SessionLocation> all = new ArrayList<>();
    if (Files.exists(path)) {
      for (SessionLocation each : Sessions.find(path)) {
        if (!isReceived(path.relativize(each.path()))) {
          all.add(each);
        }
      }
    }
    return all;
  }

  /** The path of a session received for the recording at a path: next to it. */
  static Path received(Path place) {
    return place.resolveSibling(place.getFileName() + RECEIVED);
  }

  private static boolean isReceived(Path path) {
    for (Path name : path) {
      if (name.toString().endsWith(RECEIVED)) {
        return true;
      }
    }
    return false;
  }

  private static String found(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      return "it contains " + names(place);
    }
    Path parent = place.getParent();
    while (parent != null && !Files.isDirectory(parent)) {
      parent = parent.getParent();
    }
    return parent == null
        ? "the path does not exist"
        : "%s contains %s".formatted(parent, names(parent));
  }

  private static String names(Path directory) throws IOException {
    List<String> names;
    try (Stream<Path> files = Files.list(directory)) {
      names = files.map(file -> file.getFileName().toString()).sorted().toList();
    }
    if (names.isEmpty()) {
      return "nothing";
    }
    String shown = names.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "));
    int more = names.size() - NAMES_SHOWN;
    return more > 0 ? "%s and %d more".formatted(shown, more) : shown;
  }
}
