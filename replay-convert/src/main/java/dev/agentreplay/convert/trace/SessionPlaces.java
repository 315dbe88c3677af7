package dev.agentreplay.convert.trace;

import dev.agentreplay.convert.trace.reading.SourceFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The directories of the sessions of all traces below a directory: each has the relative name of
 * its trace, without the ends that name its type. If a different trace has that name, or is below
 * it, the whole name of the file is used, with a number if necessary. So no session is in the
 * directory of a different one, and the same traces have the same names, also on a file system that
 * does not distinguish case. Immutable.
 */
final class SessionPlaces {

  private final Map<Path, Path> places = new HashMap<>();

  /** The names that are used, in lower case. */
  private final Set<String> used = new HashSet<>();

  /**
   * Finds the places.
   *
   * @param traces the traces, in their order; the directory itself, if it is one
   */
  SessionPlaces(Path directory, List<Path> traces, Path out) {
    for (Path trace : traces) {
      Path parent = directory.relativize(trace).getParent();
      while (parent != null && used.add(key(parent))) {
        parent = parent.getParent();
      }
    }
    for (Path trace : traces) {
      places.put(trace, out.resolve(unused(relative(directory, trace))));
    }
  }

  private static Path relative(Path directory, Path trace) {
    return directory.equals(trace)
        ? Path.of(String.valueOf(directory.toAbsolutePath().normalize().getFileName()))
        : directory.relativize(trace);
  }

  private Path unused(Path relative) {
    String name = String.valueOf(relative.getFileName());
    Path place = relative.resolveSibling(SourceFiles.stem(name));
    for (int i = 1; !used.add(key(place)); i++) {
      place = relative.resolveSibling(i == 1 ? name : name + "-" + i);
    }
    return place;
  }

  private static String key(Path relative) {
    return relative.toString().toLowerCase(Locale.ROOT);
  }

  /** The directory of the session of a trace. */
  Path of(Path trace) {
    Path place = places.get(trace);
    if (place == null) {
      throw new IllegalArgumentException("not one of the traces: " + trace);
    }
    return place;
  }
}
