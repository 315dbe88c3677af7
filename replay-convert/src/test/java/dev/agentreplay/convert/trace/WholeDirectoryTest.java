package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory appears as a whole, or what was in its place stays. */
class WholeDirectoryTest {

  @TempDir
  private Path directory;

  private Path place;

  @BeforeEach
  void place() {
    place = directory.resolve("place");
  }

  private static void fill(Path content) throws IOException {
    Files.createDirectories(content);
    Files.writeString(content.resolve("new"), "new");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(entry -> entry.getFileName().toString()).toList();
    }
  }

  @Test
  void contentIsMovedToAPlaceThatIsFreeOrEmpty() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (WholeDirectory whole = new WholeDirectory(place)) {
        fill(whole.temporary());
        whole.create(whole.temporary());
      }
      assertThat(place.resolve("new")).hasContent("new");
      Files.delete(place.resolve("new"));
    }
    assertThat(names()).containsExactly("place");
  }

  @Test
  void fileThatAppearsMeanwhileStays() throws IOException {
    try (WholeDirectory whole = new WholeDirectory(place)) {
      fill(whole.temporary());
      Files.writeString(place, "mine");
      assertThatThrownBy(() -> whole.create(whole.temporary())).isInstanceOf(IOException.class);
    }
    assertThat(place).hasContent("mine");
    assertThat(names()).containsExactly("place");
  }

  @Test
  void directoryThatIsFilledMeanwhileStays() throws IOException {
    Files.createDirectory(place);
    try (WholeDirectory whole = new WholeDirectory(place)) {
      fill(whole.temporary());
      Files.writeString(place.resolve("mine"), "mine");
      assertThatThrownBy(() -> whole.create(whole.temporary())).isInstanceOf(IOException.class);
    }
    assertThat(place.resolve("mine")).hasContent("mine");
    assertThat(names()).containsExactly("place");
  }

  @Test
  void directoryIsReplaced() throws IOException {
    Files.createDirectory(place);
    Files.writeString(place.resolve("old"), "old");
    try (WholeDirectory whole = new WholeDirectory(place)) {
      fill(whole.temporary().resolve("inner"));
      whole.replace(whole.temporary().resolve("inner"), old -> assertThat(old.resolve("old"))
          .hasContent("old"));
    }
    assertThat(place.resolve("old")).doesNotExist();
    assertThat(place.resolve("new")).hasContent("new");
    assertThat(names()).containsExactly("place");
  }

  @Test
  void directoryThatMustStayIsMovedBack() throws IOException {
    Files.createDirectory(place);
    Files.writeString(place.resolve("old"), "old");
    try (WholeDirectory whole = new WholeDirectory(place)) {
      fill(whole.temporary());
      assertThatThrownBy(() -> whole.replace(whole.temporary(), old -> {
            throw new IOException("it has another file");
          }))
          .hasMessage("it has another file");
    }
    assertThat(place.resolve("old")).hasContent("old");
    assertThat(names()).containsExactly("place");
  }

  @Test
  void directoryThatCannotBeMovedBackIsNotDeleted() throws IOException {
    Files.createDirectory(place);
    Files.writeString(place.resolve("old"), "old");
    try (WholeDirectory whole = new WholeDirectory(place)) {
      fill(whole.temporary());
      assertThatThrownBy(
              () -> whole.replace(whole.temporary(), old -> Files.writeString(place, "mine")))
          .satisfies(e -> assertThat(e.getSuppressed()[0])
              .hasMessageStartingWith("the earlier import is in " + directory));
    }
    assertThat(place).hasContent("mine");
    assertThat(names()).hasSize(2);
    Path old = directory.resolve(
        names().stream().filter(n -> n.endsWith(".tmp")).findFirst().orElseThrow());
    assertThat(old.resolve("old")).hasContent("old");
  }

  @Test
  void failureLeavesNoParents_exceptThoseThatAreUsed() throws IOException {
    Path deep = directory.resolve("a/b/c");
    try (WholeDirectory whole = new WholeDirectory(deep)) {
      fill(whole.temporary());
    }
    assertThat(names()).isEmpty();
    try (WholeDirectory whole = new WholeDirectory(deep)) {
      fill(whole.temporary());
      Files.writeString(directory.resolve("a/mine"), "mine");
    }
    assertThat(directory.resolve("a/mine")).exists();
    assertThat(directory.resolve("a/b")).doesNotExist();
    try (WholeDirectory whole = new WholeDirectory(deep)) {
      fill(whole.temporary());
      whole.create(whole.temporary());
    }
    assertThat(deep.resolve("new")).exists();
  }
}
