package dev.agentreplay.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
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

  @Test
  void no_recorded_change_is_made_outside() throws Exception {
    SnapshotFiles files = SnapshotFiles.in(home.resolve("snapshot"));
    ContentHash content = files.put(new byte[] {'x'}).blob();
    OutsideTree tree = new OutsideTree(home);
    RecordedChanges changes = RecordedChanges.of(tree.workspace(), files);
    Files.writeString(tree.workspace().resolve("a/g"), "inside");
    Thread attacker = new Thread(() -> swap(tree.workspace().resolve("a")));
    try (Workspace workspace = Workspace.open(tree.workspace())) {
      assumeTrue(workspace.isRaceFree());
      attacker.start();
      for (int i = 0; i < ROUNDS; i++) {
        make(changes, change(i, content));
      }
    } finally {
      isDone.set(true);
      attacker.join();
    }
    assertThat(tree.isUnchanged()).isTrue();
  }

  private static FileState change(int round, ContentHash content) {
    ContentHash none = ContentHash.sha256(new byte[0]);
    return switch (round % 6) {
      case 0 -> FileState.created("a/d/f", content, 1).withMode("100600");
      case 1 -> FileState.created("a/d/sub/new" + round, content, 1).withMode("100644");
      case 2 -> FileState.created("a/d/link" + round, content, 1).withMode("120777");
      case 3 -> FileState.created("a/d/made" + round, none, 0).withMode("040700");
      case 4 -> FileState.deleted("a/d/f", content);
      default -> FileState.deleted("a/d/sub/f", content);
    };
  }

  private static void make(RecordedChanges changes, FileState change) {
    try {
      changes.make(List.of(change));
    } catch (IOException refused) {
      // the link was there, or the directory was not
    }
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
