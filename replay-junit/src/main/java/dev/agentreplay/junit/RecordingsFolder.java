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
 * The folder that recordings are in.
 *
 * @param path the folder
 */
record RecordingsFolder(Path path) {

  private static final int NAMES_SHOWN = 10;
  private static final String RECEIVED = ".received";

  /** Where a recording is, or will be: below the folder, or at an absolute path. */
  Path place(String value) {
    return path.resolve(value).normalize();
  }

  /**
   * The recording at a place.
   *
   * @throws NoSuchFileException if there is none; it says what is there instead
   */
  Session open(Path place) throws IOException {
    try {
      return Session.open(place);
    } catch (NoSuchFileException e) {
      NoSuchFileException missing = new NoSuchFileException(
          "no recording at %s: %s; recordings are looked for in %s, or where %s says"
              .formatted(place, found(place), path, ReplaySettings.RECORDINGS));
      missing.initCause(e);
      throw missing;
    }
  }

  /**
   * The recording at a place where there is none yet: its log is not there. A name that ends with
   * {@code .jsonl} is that of a log, any other that of a directory.
   */
  static Session planned(Path place) {
    return new Session(isLog(place) ? place : place.resolve(Session.LOG_NAME), null);
  }

  /** Whether a place is that of a log by itself, there or not, and not that of a directory. */
  static boolean isLog(Path place) {
    return Files.isRegularFile(place)
        || (place.toString().endsWith(".jsonl") && !Files.isDirectory(place));
  }

  /**
   * The recordings whose paths from the folder match a pattern, sorted by these. What was received
   * and not accepted is none.
   *
   * @throws NoSuchFileException if there are none, or the folder is not there
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
          "no recording matches \"%s\" in %s; %s names another folder of recordings"
              .formatted(glob, path, ReplaySettings.RECORDINGS));
    }
    return matching;
  }

  /** All recordings in the folder and below it; none if it is not there. */
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

  /** Where a session is offered as the recording at a place: beside it. */
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
      return "it holds " + names(place);
    }
    Path parent = place.getParent();
    while (parent != null && !Files.isDirectory(parent)) {
      parent = parent.getParent();
    }
    return parent == null ? "nothing is there" : "%s holds %s".formatted(parent, names(parent));
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
