package dev.agentreplay.sandbox.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The changes that a capture records turn one state of a workspace into the next. */
@DisabledOnOs(OS.WINDOWS)
class CapturedChangesTest {

  /** A step of an agent: one entry is created, replaced or deleted, with what is in its way. */
  private record Edit(String path, String kind, String text) {

    void on(Path root) throws IOException {
      Path at = root;
      String[] names = path.split("/");
      for (int i = 0; i < names.length - 1; i++) {
        at = at.resolve(names[i]);
        if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
          delete(at);
          Files.createDirectory(at);
        }
      }
      Path file = root.resolve(path);
      switch (kind) {
        case "delete" -> delete(file);
        case "directory" -> {
          delete(file);
          Files.createDirectory(file);
        }
        case "link" -> {
          delete(file);
          Files.createSymbolicLink(file, Path.of(text));
        }
        default -> {
          if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            delete(file);
          }
          Files.writeString(file, text);
          Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(kind));
        }
      }
    }
  }

  private static void delete(Path file) throws IOException {
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      List<Path> children;
      try (Stream<Path> found = Files.walk(file)) {
        children = found.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path child : children) {
        Files.delete(child);
      }
    } else {
      Files.deleteIfExists(file);
    }
  }

  @Provide
  static Arbitrary<List<List<Edit>>> steps() {
    Arbitrary<String> names = Arbitraries.of("a", "b", "a-b", "c");
    Arbitrary<String> paths =
        names.list().ofMinSize(1).ofMaxSize(3).map(all -> String.join("/", all));
    Arbitrary<String> kinds =
        Arbitraries.of("delete", "directory", "link", "rw-r--r--", "rwxr-xr-x", "rw-------");
    return Combinators.combine(paths, kinds, Arbitraries.of("x", "y", "longer"))
        .as(Edit::new)
        .list()
        .ofMaxSize(6)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  @Property(tries = 60)
  @Tag("slow")
  void recorded_changes_make_the_same_workspace(@ForAll("steps") List<List<Edit>> steps)
      throws IOException {
    Path directory = Files.createTempDirectory("captured");
    try {
      Path one = Files.createDirectory(directory.resolve("one"));
      Path other = Files.createDirectory(directory.resolve("other"));
      SnapshotCapture capture = SnapshotCapture.of(one);
      capture.capture(Files.createDirectory(directory.resolve("session")));
      SnapshotCapture copy = SnapshotCapture.ofChanges(other, SnapshotOptions.defaults())
          .withRecordedContents(directory.resolve("session/snapshot"));
      copy.capture(directory.resolve("session"));
      for (List<Edit> edits : steps) {
        for (Edit edit : edits) {
          edit.on(one);
        }
        List<FileState> changes = capture.afterTool("1");

        assertThat(copy.apply(changes)).isEmpty();

        assertThat(copy.afterTool("1")).isEqualTo(changes);
        assertThat(entries(other)).isEqualTo(entries(one));
        assertThat(capture.beforeTool(ToolCall.of("2", "t", JsonObject.EMPTY))).isEmpty();
      }
    } finally {
      delete(directory);
    }
  }

  /** The entries without times, and without the modes of directories that are not empty. */
  private static List<String> entries(Path root) throws IOException {
    List<SnapshotEntry> entries = WorkspaceScan.of(root, SnapshotOptions.defaults())
        .scan(FileIndex.EMPTY, ContentReader.hashing())
        .entries();
    List<String> shown = new ArrayList<>();
    for (SnapshotEntry entry : entries) {
      shown.add(
          entry instanceof SnapshotEntry.File file
              ? file.path() + " " + file.mode() + " " + file.hash()
              : entry instanceof SnapshotEntry.Link link
                  ? link.path() + " -> " + link.target()
                  : entry.path() + "/");
    }
    return shown;
  }
}
