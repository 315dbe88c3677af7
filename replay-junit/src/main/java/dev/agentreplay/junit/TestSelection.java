package dev.agentreplay.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The tests that use recordings and run in this test run. JUnit reports the tests that it runs, not
 * those that were excluded, so the class files next to a test that runs are examined. Safe for use
 * by several threads.
 */
final class TestSelection {

  /** The property by which Maven selects tests. */
  private static final String FILTER = "test";

  private static final List<String> ANNOTATIONS =
      List.of(ReplaySession.class.descriptorString(), ReplaySessionSource.class.descriptorString());

  private final boolean isFiltered;
  private final Set<String> ran = ConcurrentHashMap.newKeySet();
  private final Set<Path> folders = ConcurrentHashMap.newKeySet();

  private TestSelection(boolean isFiltered) {
    this.isFiltered = isFiltered;
  }

  /** The selection of a test run. A filter of methods means that some of a class do not run. */
  static TestSelection of(ExtensionContext context) {
    return new TestSelection(context
        .getConfigurationParameter(FILTER)
        .filter(filter -> filter.contains("#"))
        .isPresent());
  }

  /** Records that tests of a class run. */
  void ran(Class<?> type) {
    Class<?> outermost = type;
    while (outermost.getEnclosingClass() != null) {
      outermost = outermost.getEnclosingClass();
    }
    ran.add(outermost.getName());
    CodeSource source = outermost.getProtectionDomain().getCodeSource();
    if (source != null && source.getLocation() != null) {
      try {
        folders.add(Path.of(source.getLocation().toURI()));
      } catch (URISyntaxException | RuntimeException notAFolder) {
        // classes in other places are not examined
      }
    }
  }

  /** Whether some tests that use recordings did not run. */
  boolean isPartial() {
    return isFiltered || folders.stream().anyMatch(this::holdsOthers);
  }

  private boolean holdsOthers(Path folder) {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .filter(file -> !file.getFileName().toString().contains("$")) // not run by themselves
          .filter(file -> !ran.contains(name(folder, file)))
          .anyMatch(TestSelection::asksForRecordings);
    } catch (IOException | UncheckedIOException unreadable) {
      return false;
    }
  }

  /** The name of the class in a file. */
  private static String name(Path folder, Path file) {
    String path = folder.relativize(file).toString();
    return path.substring(0, path.length() - ".class".length())
        .replace(file.getFileSystem().getSeparator(), ".");
  }

  /** Whether a class file contains the descriptors of the annotations (JVMS, section 4.7.16). */
  private static boolean asksForRecordings(Path file) {
    try {
      String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      return ANNOTATIONS.stream().anyMatch(bytes::contains);
    } catch (IOException unreadable) {
      return false;
    }
  }
}
