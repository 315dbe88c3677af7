package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The name of a member is in one file: in the row that writes it, or in {@code Names} if rules,
 * checks or several rows use it. The lists of names in a specification, which the tables are
 * checked against, are texts of several names.
 */
class WireNamesTest {

  /** The main sources of all modules, which only a build of the whole project has. */
  private static final Path MODULES = Path.of("..").toAbsolutePath().normalize();

  /** Names that formats of their own have in common with logs, or with each other. */
  private static final Set<String> ALLOWED = Set.of(
      // the reports replay.diff/1, replay.run/1, replay.stats/1 and JUnit XML
      "session_id",
      "latency_ms",
      "total_latency_ms",
      "tool_calls",
      "by_tool",
      "not_compared",
      "divergence_counts",
      "divergences_truncated",
      "not_proved",
      // session records, whose other names are in tables of their own
      "created_at",
      "thread_id",
      // parameters of a model, in a log and in LangChain4j
      "max_tokens",
      // the tools of the demo
      "read_file",
      "edit_file",
      "write_file");

  private static final Pattern COMMENT =
      Pattern.compile("/\\*.*?\\*/|^\\s*//[^\n]*", Pattern.DOTALL | Pattern.MULTILINE);

  private static final Pattern NAME = Pattern.compile("\"([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\"");

  @Test
  void name_of_a_member_is_in_one_file() throws IOException {
    assumeThat(Files.exists(MODULES.resolve("replay-model/src/main/java"))).isTrue();

    Map<String, Set<String>> files = new TreeMap<>();
    try (Stream<Path> modules = Files.list(MODULES)) {
      for (Path module : modules.filter(WireNamesTest::isPublished).toList()) {
        try (Stream<Path> sources = Files.walk(module.resolve("src/main/java"))) {
          for (Path source : sources.filter(WireNamesTest::isOfLogs).toList()) {
            Matcher name =
                NAME.matcher(COMMENT.matcher(Files.readString(source)).replaceAll(""));
            while (name.find()) {
              files
                  .computeIfAbsent(name.group(1), key -> new TreeSet<>())
                  .add(MODULES.relativize(source).toString());
            }
          }
        }
      }
    }
    files.values().removeIf(places -> places.size() == 1);
    files.keySet().removeAll(ALLOWED);

    assertThat(files).isEmpty();
  }

  private static boolean isPublished(Path module) {
    return Files.exists(module.resolve("src/main/java"))
        && !module.getFileName().toString().equals("replay-benchmarks");
  }

  /**
   * Session records (specification 004) are another format, with tables of their own, and so are
   * the traces of other tools, whose names an importer and an exporter share with a log by chance.
   */
  private static boolean isOfLogs(Path source) {
    String path = source.toString().replace('\\', '/');
    return path.endsWith(".java")
        && !path.contains("/records/")
        && !path.contains("/convert/trace/");
  }
}
