package dev.agentreplay.lint;

import dev.agentreplay.lint.code.PathList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The agents in {@code com.example.agents}, whose sources mark what is to be found. */
final class Seeds {

  static final Path CLASSES = Path.of("target/test-classes/com/example/agents");

  private static final Path SOURCES = Path.of("src/test/java/com/example/agents");
  private static final String MARK = "// FOUND ";

  private Seeds() {}

  static DeterminismScan scan() {
    return DeterminismScan.of(CLASSES).withClassPath(PathList.ofJvm());
  }

  /** The marks of a source, each above its line, as {@code file:line category Class.method}. */
  static List<String> expected(String file) throws IOException {
    List<String> lines = Files.readAllLines(SOURCES.resolve(file));
    TreeSet<String> marks = new TreeSet<>();
    for (int i = 0; i < lines.size(); i++) {
      int mark = lines.get(i).indexOf(MARK);
      if (mark >= 0) {
        marks.add(
            "%s:%03d %s".formatted(file, i + 2, lines.get(i).substring(mark + MARK.length())));
      }
    }
    return List.copyOf(marks).stream().sorted().toList();
  }

  static List<String> found(DeterminismReport report, String file) {
    return report.findings().stream()
        .filter(finding -> file.equals(finding.location().file()))
        .map(finding -> "%s:%03d %s %s"
            .formatted(
                file, finding.location().line(), finding.category().id(), simple(finding.api())))
        .distinct()
        .sorted()
        .toList();
  }

  /** The simple name of the class, and the method. */
  private static String simple(String api) {
    String[] parts = api.replaceAll("\\(.*", "").split("\\.");
    return parts[parts.length - 2] + "." + parts[parts.length - 1];
  }

  static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
