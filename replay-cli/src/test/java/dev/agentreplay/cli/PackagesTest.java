package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The packages of all modules: what ARCHITECTURE.md says of their sizes and dependencies. */
class PackagesTest {

  /** Those with more types than the rule has; each becomes smaller, or a reason is documented. */
  private static final Map<String, Integer> LARGE = Map.of(
      "dev.agentreplay.cli", 53, // one type a command
      "dev.agentreplay.cli.input", 43,
      "dev.agentreplay.engine.diff", 50,
      "dev.agentreplay.engine.replay", 58,
      "dev.agentreplay.io.recording", 49,
      "dev.agentreplay.model", 49,
      "dev.agentreplay.engine.report", 44,
      "dev.agentreplay.junit", 46);

  private static final int MOST = 42;

  private static final Pattern USE =
      Pattern.compile("\\b(dev\\.agentreplay(?:\\.[a-z][a-z0-9]*)+)\\.[A-Z]");

  /** The sources of each package. */
  private static final Map<String, Set<Path>> SOURCES = new TreeMap<>();

  /** The packages of the project that each package names. */
  private static final Map<String, Set<String>> USES = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    List<Path> modules;
    try (Stream<Path> directories = Files.list(Path.of(".."))) {
      modules = directories
          .map(directory -> directory.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .toList();
    }
    for (Path module : modules) {
      try (Stream<Path> files = Files.walk(module)) {
        for (Path file : files.filter(PackagesTest::isType).toList()) {
          add(module.relativize(file.getParent()).toString().replace('/', '.'), file);
        }
      }
    }
  }

  private static boolean isType(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".java") && !name.endsWith("-info.java");
  }

  private static void add(String name, Path file) throws IOException {
    SOURCES.computeIfAbsent(name, none -> new TreeSet<>()).add(file);
    Set<String> uses = USES.computeIfAbsent(name, none -> new TreeSet<>());
    Files.readAllLines(file).stream()
        .filter(line -> !line.stripLeading().startsWith("*") && !line.contains("/**"))
        .forEach(line -> {
          Matcher matcher = USE.matcher(line);
          while (matcher.find()) {
            uses.add(matcher.group(1));
          }
        });
    uses.remove(name);
  }

  @Test
  void the_modules_are_read() {
    assertThat(SOURCES).hasSizeGreaterThan(40);
    assertThat(USES.get("dev.agentreplay.engine.replay"))
        .contains("dev.agentreplay.engine.exchange", "dev.agentreplay.model");
  }

  @Test
  void no_package_has_too_many_types() {
    SOURCES.forEach((name, files) -> assertThat(files)
        .as("types of %s", name)
        .hasSizeLessThanOrEqualTo(LARGE.getOrDefault(name, MOST)));
  }

  @Test
  void no_packages_depend_on_each_other() {
    List<String> mutual = new ArrayList<>();
    for (String start : USES.keySet()) {
      Set<String> reached = new HashSet<>();
      USES.get(start).stream()
          .filter(used -> reaches(used, start, reached))
          .forEach(used -> mutual.add(start + " uses " + used + ", which depends on it"));
    }
    assertThat(mutual).isEmpty();
  }

  /** Whether a package depends on a different one, directly or by others. */
  private static boolean reaches(String from, String to, Set<String> visited) {
    return from.equals(to)
        || (visited.add(from)
            && USES.getOrDefault(from, Set.of()).stream()
                .anyMatch(used -> reaches(used, to, visited)));
  }
}
