package dev.agentreplay.sandbox.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files next to a workspace, which nothing in it may read or change. */
final class OutsideTree {

  static final String SECRET = "the content of a file outside of the workspace";

  /** A name that only directories outside of the workspace have an entry of. */
  static final String ENTRY = "entry-outside";

  private final Path home;
  private final List<String> before;

  /** Creates a tree, and an empty workspace with links that lead to the tree. */
  OutsideTree(Path home) throws IOException {
    this.home = home;
    Files.createDirectories(outside().resolve("sub"));
    Files.writeString(outside().resolve("f"), SECRET);
    Files.writeString(outside().resolve("sub/f"), SECRET);
    for (Path directory : List.of(home, outside(), outside().resolve("sub"))) {
      Files.writeString(directory.resolve(ENTRY), SECRET);
    }
    Files.createDirectories(workspace().resolve("a/d"));
    Files.createSymbolicLink(workspace().resolve("link"), outside());
    Files.createSymbolicLink(workspace().resolve("up"), Path.of(".."));
    Files.createSymbolicLink(workspace().resolve("file"), outside().resolve("f"));
    Files.createSymbolicLink(workspace().resolve("new"), outside().resolve("new"));
    Files.createSymbolicLink(workspace().resolve("a/link"), outside().resolve("sub"));
    this.before = state();
  }

  Path workspace() {
    return home.resolve("workspace");
  }

  Path outside() {
    return home.resolve("outside");
  }

  boolean isUnchanged() throws IOException {
    return before.equals(state());
  }

  /** All entries outside of the workspace, with contents and times. */
  private List<String> state() throws IOException {
    try (Stream<Path> entries = Files.walk(outside());
        Stream<Path> siblings = Files.list(home)) {
      return Stream.concat(entries, siblings.filter(entry -> !entry.equals(workspace())))
          .sorted()
          .map(OutsideTree::describe)
          .toList();
    }
  }

  private static String describe(Path entry) {
    try {
      return entry
          + " "
          + Files.getLastModifiedTime(entry, LinkOption.NOFOLLOW_LINKS)
          + (Files.isRegularFile(entry) ? " " + Files.readString(entry) : "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
