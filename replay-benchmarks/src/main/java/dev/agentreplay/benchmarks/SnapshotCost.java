package dev.agentreplay.benchmarks;

import dev.agentreplay.sandbox.snapshot.ContentReader;
import dev.agentreplay.sandbox.snapshot.FileIndex;
import dev.agentreplay.sandbox.snapshot.SnapshotOptions;
import dev.agentreplay.sandbox.snapshot.SnapshotRestorer;
import dev.agentreplay.sandbox.snapshot.SnapshotWriter;
import dev.agentreplay.sandbox.snapshot.WorkspaceScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * Measures snapshots of a workspace of 10,000 files with 100 MB, compared with {@code cp -a} of the
 * same tree: taking one, taking a second one of the unchanged tree with the first as its base,
 * restoring, and scanning with an index.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.SnapshotCost
 * </pre>
 */
public final class SnapshotCost {

  private static final int WARM_UP_ROUNDS = 5;
  private static final int ROUNDS = 15;
  private static final int DIRECTORIES = 200;
  private static final int FILES_OF_DIRECTORY = 50;
  private static final int FILE_BYTES = 10_000;
  private static final double MILLION = 1e6;

  private SnapshotCost() {}

  /** Measures and prints medians. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("replay-snapshot");
    try {
      Path tree = tree(directory.resolve("tree"));
      Path copy = directory.resolve("copy");
      Path first = directory.resolve("first");
      Path second = directory.resolve("second");
      Path restored = directory.resolve("restored");
      SnapshotOptions options = SnapshotOptions.defaults();
      WorkspaceScan scan = WorkspaceScan.of(tree, options);
      long[][] nanos = new long[6][ROUNDS];
      for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        int at = Math.max(round, 0);
        nanos[0][at] = Rounds.time(() -> run("cp", "-a", tree.toString(), copy.toString()));
        nanos[1][at] = Rounds.time(() -> SnapshotWriter.take(tree, first, options));
        nanos[2][at] =
            Rounds.time(() -> SnapshotWriter.take(tree, second, options.withBase(first)));
        nanos[5][at] = Rounds.time(
            () -> SnapshotWriter.add(tree, first, "MANIFEST-2.jsonl", options.withBase(first)));
        nanos[3][at] = Rounds.time(() -> SnapshotRestorer.restore(second, restored));
        FileIndex index = scan.scan(FileIndex.EMPTY, ContentReader.hashing()).index();
        nanos[4][at] = Rounds.time(() -> scan.scan(index, ContentReader.hashing()));
        for (Path made : new Path[] {copy, first, second, restored}) {
          run("rm", "-rf", made.toString());
        }
      }
      print("cp -a", nanos[0], nanos[0]);
      print("take", nanos[1], nanos[0]);
      print("take with a base", nanos[2], nanos[0]);
      print("add to a snapshot", nanos[5], nanos[0]);
      print("restore", nanos[3], nanos[0]);
      print("scan with an index", nanos[4], nanos[0]);
      printRatio("added to the first", nanos[1], nanos[5]);
      printRatio("in a directory of its own", nanos[1], nanos[2]);
    } finally {
      run("rm", "-rf", directory.toString());
    }
  }

  private static void printRatio(String place, long[] first, long[] second) {
    System.out.printf(
        "the second snapshot, %s, is %.1f times as fast as the first (fastest rounds: %.1f)%n",
        place,
        (double) Rounds.median(first) / Rounds.median(second),
        (double) least(first) / least(second));
  }

  private static Path tree(Path root) throws IOException {
    Random random = new Random(1);
    for (int d = 0; d < DIRECTORIES; d++) {
      Path directory = Files.createDirectories(root.resolve("d" + d / 20).resolve("s" + d));
      for (int f = 0; f < FILES_OF_DIRECTORY; f++) {
        byte[] bytes = new byte[FILE_BYTES + random.nextInt(FILE_BYTES / 10)];
        random.nextBytes(bytes);
        Files.write(directory.resolve("f" + f), bytes);
      }
    }
    return root;
  }

  private static void run(String... command) throws IOException {
    try {
      int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (exit != 0) {
        throw new IOException(String.join(" ", command) + ": exit code " + exit);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static long least(long[] nanos) {
    return Arrays.stream(nanos).min().orElseThrow();
  }

  private static void print(String what, long[] nanos, long[] unit) {
    System.out.printf(
        "  %-20s median %7.0f ms  %5.2f x cp -a   fastest %7.0f ms  %5.2f x%n",
        what,
        Rounds.median(nanos) / MILLION,
        (double) Rounds.median(nanos) / Rounds.median(unit),
        least(nanos) / MILLION,
        (double) least(nanos) / least(unit));
  }
}
