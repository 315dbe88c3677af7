package dev.agentreplay.junit;

import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.junit.ReplaySettings.Unused;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.opentest4j.AssertionFailedError;

/**
 * Reports the recordings that no test used, when it is closed at the end of a test run. It reports
 * nothing if only some of the tests ran, since the others may use them.
 */
final class UnusedRecordings implements CloseableResource, AutoCloseable {

  /** The recordings used by all tests in this process; assertions do not know their test run. */
  private static final Set<Path> USED = ConcurrentHashMap.newKeySet();

  private final RecordingsFolder folder;
  private final Unused unused;
  private final TestSelection selection;

  UnusedRecordings(RecordingsFolder folder, Unused unused, TestSelection selection) {
    this.folder = folder;
    this.unused = unused;
    this.selection = selection;
  }

  /** Records that tests of a class run. */
  void ran(Class<?> type) {
    selection.ran(type);
  }

  /** Records that a test uses the recording at a path. */
  static void use(Path place) {
    USED.add(place.toAbsolutePath().normalize());
  }

  @Override
  public void close() {
    List<Path> left = folder.all().stream()
        .map(SessionLocation::path)
        .filter(path -> !USED.contains(path))
        .toList();
    if (left.isEmpty() || selection.isPartial()) {
      return;
    }
    String message = "replay: unused recordings in %s: %d%n%s"
        .formatted(
            folder.path(),
            left.size(),
            left.stream()
                .map(path -> "  " + folder.path().relativize(path))
                .collect(Collectors.joining(System.lineSeparator())));
    if (unused == Unused.FAIL) {
      throw new AssertionFailedError(message);
    }
    System.out.println(message);
  }
}
