package dev.agentreplay.convert.pack;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of a directory, no two of which are one on a file system that folds names. */
final class PathSet {

  private final Map<String, String> files = new HashMap<>();
  private final Map<String, String> directories = new HashMap<>();

  /** How many directories the files are in, that which holds all of them not counted. */
  int directories() {
    return directories.size();
  }

  /** Adds a file. Returns why that cannot be, or null. */
  @Nullable
  String add(String path) {
    String folded = PortablePath.folded(path);
    String other = files.putIfAbsent(folded, path);
    if (other != null) {
      return other.equals(path)
          ? "the path is there twice"
          : "the path is the same as \"" + PackFormatException.shown(other)
              + "\" where names are folded";
    }
    if (directories.containsKey(folded)) {
      return "the path is also a directory";
    }
    int end = path.lastIndexOf('/');
    while (end >= 0) {
      String directory = path.substring(0, end);
      String foldedDirectory = PortablePath.folded(directory);
      if (files.containsKey(foldedDirectory)) {
        return "the file \"" + PackFormatException.shown(directory) + "\" is used as a directory";
      }
      String known = directories.putIfAbsent(foldedDirectory, directory);
      if (known != null) {
        return known.equals(directory)
            ? null
            : "the directory \"" + PackFormatException.shown(directory)
                + "\" is the same as another one where names are folded";
      }
      end = path.lastIndexOf('/', end - 1);
    }
    return null;
  }
}
