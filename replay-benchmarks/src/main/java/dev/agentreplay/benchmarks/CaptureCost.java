package dev.agentreplay.benchmarks;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.snapshot.SnapshotCapture;
import dev.agentreplay.sandbox.snapshot.SnapshotOptions;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Measures the cost of a capture for an agent that is recorded: the start of its session, and each
 * tool call, in workspaces of different sizes. Recorded calls, captured ones and walks through the
 * tree, as a lower bound of a scan, take turns.
 *
 * <pre>
 * mvn -Dquick -pl replay-benchmarks -am package
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.CaptureCost
 * </pre>
 */
public final class CaptureCost {

  private static final int FILES_PER_DIRECTORY = 100;
  private static final int FILE_BYTES = 10_000;
  private static final int WARM_UP = 30;
  private static final int CALLS = 200;

  private CaptureCost() {}

  /** Runs the measurement; the arguments are numbers of files. */
  public static void main(String[] args) throws Exception {
    int[] sizes = args.length == 0
        ? new int[] {100, 1_000, 10_000}
        : Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
    System.out.println("files   start   with base   recorded call   walk   captured, p50   p99"
        + "   one file written, p50   p99");
    for (int files : sizes) {
      Path directory = Files.createTempDirectory("capture");
      try {
        measure(directory, files);
      } finally {
        Rounds.delete(directory);
      }
    }
  }

  private static void measure(Path directory, int files) throws Exception {
    Path workspace = directory.resolve("workspace");
    fill(workspace, files);
    long first =
        Rounds.time(() -> start(directory, "one", SnapshotCapture.of(workspace)).close());
    SnapshotOptions options =
        SnapshotOptions.defaults().withBase(directory.resolve("one/snapshot"));
    long[] plain = new long[CALLS];
    long[] walking = new long[CALLS];
    long[] reading = new long[CALLS];
    long[] writing = new long[CALLS];
    long started = System.nanoTime();
    try (SessionRecorder captured =
            start(directory, "two", SnapshotCapture.of(workspace, options));
        SessionRecorder recorded = start(directory, "three", null)) {
      long withBase = System.nanoTime() - started;
      for (int i = -WARM_UP; i < CALLS; i++) {
        int at = Math.max(i, 0);
        String text = "call " + i;
        plain[at] = call(recorded, () -> text);
        walking[at] = Rounds.time(() -> walk(workspace));
        reading[at] = call(captured, () -> text);
        writing[at] = call(captured, () -> Files.writeString(workspace.resolve("0/0.txt"), text)
            .toString());
      }
      System.out.printf(
          "%6d %5.0f ms %6.0f ms %12.3f ms %6.1f ms %8.1f ms %6.1f ms %12.1f ms %6.1f ms%n",
          files,
          first / 1e6,
          withBase / 1e6,
          Rounds.median(plain) / 1e6,
          Rounds.median(walking) / 1e6,
          Rounds.median(reading) / 1e6,
          highest(reading) / 1e6,
          Rounds.median(writing) / 1e6,
          highest(writing) / 1e6);
    }
  }

  private static SessionRecorder start(
      Path directory, String name, @Nullable SnapshotCapture capture) throws IOException {
    RecorderOptions options = RecorderOptions.defaults();
    return SessionRecorder.start(
        directory.resolve(name),
        SessionStart.of(name),
        capture == null
            ? options
            : options.withCircumstances(Circumstances.none().withWorkspace(capture)));
  }

  private static long call(SessionRecorder session, Callable<String> tool) throws Exception {
    long start = System.nanoTime();
    session.run("tool", JsonObject.EMPTY, tool);
    return System.nanoTime() - start;
  }

  /** Reads the attributes of all files, which is the least that a scan does. */
  private static void walk(Path workspace) throws IOException {
    long[] bytes = new long[1];
    Files.walkFileTree(workspace, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        bytes[0] += attributes.size();
        return FileVisitResult.CONTINUE;
      }
    });
    if (bytes[0] == 0) {
      throw new IllegalStateException("nothing was read");
    }
  }

  /** The 99th percentile. */
  private static long highest(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length * 99 / 100];
  }

  private static void fill(Path workspace, int files) throws IOException {
    Random random = new Random(files);
    byte[] bytes = new byte[FILE_BYTES];
    for (int i = 0; i < files; i++) {
      Path directory = workspace.resolve(Integer.toString(i / FILES_PER_DIRECTORY));
      Files.createDirectories(directory);
      random.nextBytes(bytes);
      Files.write(directory.resolve(i % FILES_PER_DIRECTORY + ".txt"), bytes);
    }
  }
}
