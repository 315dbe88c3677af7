package dev.agentreplay.lint.code;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules by which jars in a directory or jar are code that is loaded, or resources. */
final class NestedJars {

  /** The places of jars from which launchers, containers and platforms load classes. */
  private static final List<String> LOADED =
      List.of("BOOT-INF/lib/", "WEB-INF/lib/", "WEB-INF/lib-provided/", "lib/");

  /** The attributes of a manifest that name jars: of the JDK, OSGi and Eclipse. */
  private static final List<String> CLASS_PATHS =
      List.of("Class-Path", "Bundle-ClassPath", "Rsrc-Class-Path");

  private static final Pattern SEPARATORS = Pattern.compile("[ ,;]+");

  private NestedJars() {}

  /** Reads a manifest. */
  interface ManifestSource {
    @Nullable
    Manifest read() throws IOException;
  }

  /** Returns those of some jars from which classes may be loaded because a manifest names them. */
  static Set<String> named(Collection<String> jars, ManifestSource source) {
    Set<String> named = new HashSet<>();
    if (!jars.isEmpty()) {
      try {
        Manifest manifest = source.read();
        for (String attribute : CLASS_PATHS) {
          String value = manifest == null ? null : manifest.getMainAttributes().getValue(attribute);
          if (value != null) {
            SEPARATORS
                .splitAsStream(value)
                .forEach(entry -> named.add(entry.startsWith("./") ? entry.substring(2) : entry));
          }
        }
      } catch (IOException e) {
        // it names jars that cannot be known, so each may be one of them
        named.addAll(jars);
      }
    }
    return named;
  }

  /** Whether a jar is at a place, from the root, from which classes are loaded. */
  static boolean isLoaded(String jar) {
    return LOADED.stream().anyMatch(jar::startsWith);
  }

  /** Whether a jar is at such a place, of which the root may be any directory on the way to it. */
  static boolean isLoadedAnywhere(String jar) {
    return isLoaded(jar) || LOADED.stream().anyMatch(place -> jar.contains("/" + place));
  }
}
