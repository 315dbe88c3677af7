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
 * Which of the tests that ask for recordings run: JUnit is told what to run, not what is left out.
 * So the classes that lie beside one that runs are looked at. Safe for use by several threads.
 */
final class TestSelection {

  /** The property that Maven selects tests by. */
  private static final String FILTER = "test";

  private static final List<String> ANNOTATIONS =
      List.of(ReplaySession.class.descriptorString(), ReplaySessionSource.class.descriptorString());

  private final boolean isFiltered;
  private final Set<String> ran = ConcurrentHashMap.newKeySet();
  private final Set<Path> folders = ConcurrentHashMap.newKeySet();

  private TestSelection(boolean isFiltered) {
    this.isFiltered = isFiltered;
  }

  /** Of a run; a filter of methods leaves out some of a class. */
  static TestSelection of(ExtensionContext context) {
    return new TestSelection(context
        .getConfigurationParameter(FILTER)
        .filter(filter -> filter.contains("#"))
        .isPresent());
  }

  /** Tests of a class run. */
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
        // classes that are elsewhere are not looked at
      }
    }
  }

  /** Whether tests that ask for recordings did not run. */
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

  /** The name of a class by its file; a nested one is another. */
  private static String name(Path folder, Path file) {
    String path = folder.relativize(file).toString();
    return path.substring(0, path.length() - ".class".length())
        .replace(file.getFileSystem().getSeparator(), ".");
  }

  /**
   * Whether the constants of a class have the annotations, as descriptors (JVMS, section 4.7.16).
   */
  private static boolean asksForRecordings(Path file) {
    try {
      String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      return ANNOTATIONS.stream().anyMatch(bytes::contains);
    } catch (IOException unreadable) {
      return false;
    }
  }
}
