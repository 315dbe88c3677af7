package dev.agentreplay.junit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * How Maven is told to build a module.
 *
 * @param root the directory of the outermost module that the module is built with
 * @param module the directory of the module
 */
record MavenBuild(Path root, Path module) {

  /** What a pom says of modules that are not always built. */
  private static final Pattern UNSURE = Pattern.compile("(?s)<!--.*?-->|<profiles>.*?</profiles>");

  private static final Pattern MODULE =
      Pattern.compile("<(?:module|subproject)>\\s*([^<]+?)\\s*</");

  /** Whether Maven builds a module. */
  static boolean builds(Path module) {
    return Files.exists(pom(module));
  }

  /**
   * Of a module that it builds. Other modules may be needed that are not in a repository: so it is
   * built from the outermost one that lists it, or one that does, in its pom.
   */
  static MavenBuild of(Path module) throws IOException {
    Path root = module;
    for (Path above = root.getParent(); above != null; above = above.getParent()) {
      if (lists(above, root)) {
        root = above;
      }
    }
    return new MavenBuild(root, module);
  }

  private static boolean lists(Path parent, Path module) throws IOException {
    if (!builds(parent)) {
      return false;
    }
    // any encoding will do: a name that it distorts is not that of the module
    String pom = Files.readString(pom(parent), StandardCharsets.ISO_8859_1);
    return MODULE
        .matcher(UNSURE.matcher(pom).replaceAll(""))
        .results()
        .map(found -> parent.resolve(found.group(1)).normalize())
        .anyMatch(listed -> listed.equals(module) || listed.equals(pom(module)));
  }

  /** The file that the build begins with. */
  Path pom() {
    return pom(root);
  }

  /** The module from the root, with slashes; empty if it is the root itself. */
  String path() {
    return root.relativize(module).toString().replace('\\', '/');
  }

  private static Path pom(Path directory) {
    return directory.resolve("pom.xml");
  }
}
