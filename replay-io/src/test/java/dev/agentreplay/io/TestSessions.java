package dev.agentreplay.io;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Recorded sessions: those beside the tests, and the whole corpus where it is there. */
public final class TestSessions {

  private TestSessions() {}

  public static Path bundled(String name) {
    return bundledRoot().resolve(name);
  }

  public static List<Path> bundled() {
    return directories(bundledRoot());
  }

  /** The sessions of the corpus; skips the test where there is no corpus. */
  public static List<Path> corpus() {
    Path root = Path.of(System.getProperty("replay.shared", "")).resolve("corpus");
    assumeTrue(Files.isDirectory(root), "no corpus: replay.shared holds no directory corpus");
    return Stream.of("tau-bench", "openagents-stream", "draft-002")
        .flatMap(set -> directories(root.resolve(set)).stream())
        .toList();
  }

  /** The first line of a log, with its line feed. */
  public static String firstLine() throws IOException {
    try (Stream<String> lines = Files.lines(bundled().get(0).resolve(Session.LOG_NAME))) {
      return lines.findFirst().orElseThrow() + "\n";
    }
  }

  private static Path bundledRoot() {
    try {
      URL url = TestSessions.class.getResource("/sessions");
      return Path.of(Objects.requireNonNull(url, "sessions").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Path> directories(Path root) {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
