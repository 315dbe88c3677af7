package dev.agentreplay.lint.code;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The directories and jars of a class path or module path. */
public final class PathList {

  private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

  private PathList() {}

  /** The directories and jars of the class path and module path of the running JVM that exist. */
  public static List<Path> ofJvm() {
    List<Path> all = new ArrayList<>();
    for (String property : List.of("java.class.path", "jdk.module.path")) {
      all.addAll(existing(System.getProperty(property, "")));
    }
    return all;
  }

  /** The paths that exist. */
  static List<Path> existing(String paths) {
    List<Path> all = new ArrayList<>();
    for (String path : SEPARATOR.split(paths, -1)) {
      if (!path.isEmpty() && Files.exists(Path.of(path))) {
        all.add(Path.of(path));
      }
    }
    return all;
  }
}
