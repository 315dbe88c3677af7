package dev.agentreplay.engine;

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

  /** A directory beside the tests. */
  public static Path bundled(String name) {
    try {
      URL url = TestSessions.class.getResource("/" + name);
      return Path.of(Objects.requireNonNull(url, name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The corpus; skips the test where there is none. */
  public static Path corpus() {
    Path root = Path.of(System.getProperty("replay.shared", "")).resolve("corpus");
    assumeTrue(Files.isDirectory(root), "no corpus: replay.shared holds no directory corpus");
    return root;
  }

  public static List<Path> directories(Path root) {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
