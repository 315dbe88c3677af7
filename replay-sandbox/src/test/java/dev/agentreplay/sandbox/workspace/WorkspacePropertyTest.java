package dev.agentreplay.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;

/** No sequence of operations with hostile paths reads or changes anything outside. */
class WorkspacePropertyTest {

  enum Kind {
    READ,
    WRITE,
    DELETE,
    LIST,
    EXISTS,
    MOVE,
    CREATE
  }

  record Operation(Kind kind, String path, String other) {}

  @Provide
  Arbitrary<Operation> operations() {
    return Combinators.combine(Arbitraries.of(Kind.class), paths(), paths()).as(Operation::new);
  }

  private static Arbitrary<String> paths() {
    Arbitrary<String> name = Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.of("a", "d", "f", "link", "up", "file", "new", "sub", "outside")),
        Tuple.of(
            3,
            Arbitraries.of(
                "..",
                ".",
                "",
                " ",
                "..\\..",
                "...",
                "\0",
                "..\0",
                "A",
                "a\\..",
                "C:",
                "a:b",
                "NUL",
                "\u2024\u2024",
                "\uff0e\uff0e",
                "%2e%2e",
                "~",
                "-",
                "\ud800",
                "e\u0301",
                "\u00e9")),
        Tuple.of(1, Arbitraries.strings().ofMaxLength(300)));
    Arbitrary<String> joined =
        name.list().ofMinSize(1).ofMaxSize(5).map(names -> String.join("/", names));
    return Arbitraries.oneOf(
        joined, joined.map(path -> "/" + path), joined.map(path -> "HOME/outside/" + path));
  }

  @Property(tries = 200)
  @Tag("slow")
  void nothing_outside_is_read_or_changed(
      @ForAll @Size(min = 1, max = 25) List<@From("operations") Operation> operations,
      @ForAll boolean isSecure,
      @ForAll boolean isWindows)
      throws IOException {
    Path home = Files.createTempDirectory("workspace-test-");
    try {
      OutsideTree tree = new OutsideTree(home);
      try (Workspace workspace = Workspace.open(tree.workspace(), isSecure, isWindows)) {
        for (Operation operation : operations) {
          apply(workspace, operation, home);
        }
      }
      assertThat(tree.isUnchanged()).isTrue();
    } finally {
      delete(home);
    }
  }

  private static void apply(Workspace workspace, Operation operation, Path home) {
    String path = operation.path().replace("HOME", home.toString());
    String other = operation.other().replace("HOME", home.toString());
    try {
      switch (operation.kind()) {
        case READ -> assertThat(workspace.readString(path)).doesNotContain(OutsideTree.SECRET);
        case WRITE -> workspace.writeString(path, "hacked");
        case DELETE -> workspace.delete(path);
        case LIST -> assertThat(workspace.list(path)).doesNotContain(OutsideTree.ENTRY);
        case EXISTS -> workspace.exists(path);
        case MOVE -> workspace.move(path, other);
        case CREATE -> workspace.createDirectories(path);
      }
    } catch (IOException refused) {
      // the tree outside is checked, whatever an operation does
    }
  }

  private static void delete(Path home) throws IOException {
    try (Stream<Path> entries = Files.walk(home)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(entry);
      }
    }
  }
}
