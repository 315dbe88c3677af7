package dev.agentreplay.lint.code;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The directories and jars of a class path. */
public final class PathList {

  private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

  private PathList() {}

  /** The paths that exist. */
  public static List<Path> existing(String paths) {
    List<Path> all = new ArrayList<>();
    for (String path : SEPARATOR.split(paths, -1)) {
      if (!path.isEmpty() && Files.exists(Path.of(path))) {
        all.add(Path.of(path));
      }
    }
    return all;
  }
}
