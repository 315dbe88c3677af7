package dev.agentreplay.testkit;

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

/** Recorded sessions: those in the test resources of a module, and the corpus if it exists. */
public final class TestSessions {

  private TestSessions() {}

  /** A file or directory of the test resources, such as {@code sessions/task-01_trial-2}. */
  public static Path bundled(String name) {
    try {
      URL url = TestSessions.class.getResource("/" + name);
      return Path.of(Objects.requireNonNull(url, name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The session directories of the test resources. */
  public static List<Path> bundled() {
    return directories(bundled("sessions"));
  }

  /** A file or directory of the test resources of a different module. */
  public static Path bundledWith(String module, String name) {
    return Path.of("..", module, "src", "test", "resources").resolve(name);
  }

  /** The directory of the corpus; skips the test if it does not exist. */
  public static Path corpus() {
    Path root = Path.of(System.getProperty("replay.shared", "")).resolve("corpus");
    assumeTrue(Files.isDirectory(root), "no corpus: replay.shared has no directory corpus");
    return root;
  }

  /** The unaltered sessions of the corpus; skips the test if the corpus does not exist. */
  public static List<Path> corpusSessions() {
    Path corpus = corpus();
    return Stream.of("tau-bench", "openagents-stream", "draft-002")
        .flatMap(set -> directories(corpus.resolve(set)).stream())
        .toList();
  }

  /** The directories in a directory, sorted. */
  public static List<Path> directories(Path root) {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
