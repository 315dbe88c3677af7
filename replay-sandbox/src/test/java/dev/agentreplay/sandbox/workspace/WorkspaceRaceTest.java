package dev.agentreplay.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thread replaces a directory and a file by links to the outside while a different one uses them.
 */
class WorkspaceRaceTest {

  private static final int ROUNDS = 3_000 * Integer.getInteger("replay.effort", 1);

  @TempDir
  Path home;

  private final AtomicBoolean isDone = new AtomicBoolean();

  @Test
  void nothing_outside_is_read_or_changed() throws Exception {
    OutsideTree tree = new OutsideTree(home);
    Thread attacker = new Thread(() -> swap(tree.workspace().resolve("a")));
    List<String> read = new ArrayList<>();
    try (Workspace workspace = Workspace.open(tree.workspace())) {
      assumeTrue(workspace.isRaceFree());
      workspace.createDirectories("a/d/sub");
      workspace.writeString("a/d/f", "inside");
      workspace.writeString("a/g", "inside");
      attacker.start();
      for (int i = 0; i < ROUNDS; i++) {
        use(workspace, i, read);
      }
    } finally {
      isDone.set(true);
      attacker.join();
    }
    assertThat(tree.isUnchanged()).isTrue();
    assertThat(read).doesNotContain(OutsideTree.SECRET);
  }

  private static void use(Workspace workspace, int round, List<String> read) {
    try {
      switch (round % 8) {
        case 0 -> read.add(workspace.readString("a/d/f"));
        case 1 -> workspace.writeString("a/d/f", "inside");
        case 2 -> workspace.writeString("a/d/sub/new", "inside");
        case 3 -> workspace.createDirectories("a/d/made/" + round % 100);
        case 4 -> read.add(workspace.readString("a/g"));
        case 5 -> workspace.writeString("a/g", "inside");
        case 6 -> workspace.delete("a/d/sub/f");
        default -> workspace.move("a/d/f", "a/d/moved" + round);
      }
    } catch (IOException refused) {
      // the link was there, or the directory was not
    }
  }

  private void swap(Path directory) {
    Path used = directory.resolve("d");
    Path kept = directory.resolve("kept");
    Path link = directory.resolve("link");
    Path file = directory.resolve("g");
    Path spare = directory.resolve("spare");
    Path outside = directory.resolve("../../outside/f");
    for (int i = 0; !isDone.get(); i++) {
      rename(used, kept);
      if (rename(link, used)) {
        replace(file, spare, () -> Files.createSymbolicLink(spare, outside));
        rename(used, link);
        rename(kept, used);
      } else {
        rename(used, directory.resolve("made" + i)); // the other thread has created a directory
      }
      replace(file, spare, () -> Files.writeString(spare, "inside"));
    }
  }

  private interface Creation {
    void run() throws IOException;
  }

  /** Replaces a file, which exists all the time. */
  private static void replace(Path file, Path spare, Creation creation) {
    try {
      Files.deleteIfExists(spare);
      creation.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    rename(spare, file);
  }

  private static boolean rename(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
