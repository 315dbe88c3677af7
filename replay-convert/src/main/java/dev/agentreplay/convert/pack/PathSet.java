package dev.agentreplay.convert.pack;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of a directory, which must remain distinct on a file system that folds names. */
final class PathSet {

  private final Map<String, String> files = new HashMap<>();
  private final Map<String, String> directories = new HashMap<>();

  /** The number of directories that contain the files, without the top one. */
  int directories() {
    return directories.size();
  }

  /** Adds a file; returns the reason if it collides with another, or null. */
  @Nullable
  String add(String path) {
    String folded = PortablePath.folded(path);
    String other = files.putIfAbsent(folded, path);
    if (other != null) {
      return other.equals(path)
          ? "the path occurs twice"
          : "the path collides with \"" + PackFormatException.shown(other)
              + "\" on file systems that fold names";
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
                + "\" collides with another on file systems that fold names";
      }
      end = path.lastIndexOf('/', end - 1);
    }
    return null;
  }
}
