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
 * The recordings that no test has asked for, said when it is closed: at the end of a run. Nothing
 * is said when only some of the tests ran, as others may ask for them.
 */
final class UnusedRecordings implements CloseableResource, AutoCloseable {

  /** Of all tests in this process: what is compared knows of no run. */
  private static final Set<Path> USED = ConcurrentHashMap.newKeySet();

  private final RecordingsFolder folder;
  private final Unused unused;
  private final TestSelection selection;

  UnusedRecordings(RecordingsFolder folder, Unused unused, TestSelection selection) {
    this.folder = folder;
    this.unused = unused;
    this.selection = selection;
  }

  /** Tests of a class run. */
  void ran(Class<?> type) {
    selection.ran(type);
  }

  /** A test asks for the recording at a place. */
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
    String message = "replay: recordings in %s that no test asked for: %d%n%s"
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
