package dev.agentreplay.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Names on a file system that does not distinguish case and normalization, and on one that does.
 */
class AliasesTest {

  @TempDir
  Path home;

  /** A directory with one entry that is found by every spelling of its name. */
  private WorkspaceDirectory insensitive(String name) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(home, BasicFileAttributes.class);
    return (WorkspaceDirectory) Proxy.newProxyInstance(
        WorkspaceDirectory.class.getClassLoader(),
        new Class<?>[] {WorkspaceDirectory.class},
        (proxy, method, arguments) -> switch (method.getName()) {
          case "attributes" ->
            folded((String) arguments[0]).equals(folded(name)) ? attributes : null;
          case "names" -> List.of("other", name);
          default -> throw new UnsupportedOperationException(method.getName());
        });
  }

  private static String folded(String name) {
    return Normalizer.normalize(name, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
  }

  private @Nullable String otherName(String entry, String name) throws IOException {
    WorkspaceDirectory directory = insensitive(entry);
    return Aliases.otherName(directory, name, directory.attributes(name));
  }

  @Test
  void name_with_different_case_is_found() throws IOException {
    assertThat(otherName("ReadMe.md", "readme.MD")).isEqualTo("ReadMe.md");
    assertThat(otherName("README.MD", "readme.md")).isEqualTo("README.MD");
    assertThat(otherName("readme.md", "README.MD")).isEqualTo("readme.md");
  }

  @Test
  void name_with_different_normalization_is_found() throws IOException {
    assertThat(otherName("\u00e9", "e\u0301")).isEqualTo("\u00e9");
    assertThat(otherName("e\u0301", "\u00e9")).isEqualTo("e\u0301");
  }

  @Test
  void exact_name_has_no_different_one() throws IOException {
    assertThat(otherName("ReadMe.md", "ReadMe.md")).isNull();
    assertThat(otherName("\u00e9", "\u00e9")).isNull();
    assertThat(otherName("123", "123")).isNull();
  }

  @Test
  void spellings_are_different_files_where_the_file_system_distinguishes_them() throws IOException {
    Files.writeString(home.resolve("a"), "small");
    if (Files.exists(home.resolve("A"))) {
      return; // this one does not
    }
    try (Workspace workspace = Workspace.open(home)) {
      workspace.writeString("A", "large");
      assertThat(workspace.readString("a")).isEqualTo("small");
      Files.createLink(home.resolve("Linked"), home.resolve("a"));
      Files.createLink(home.resolve("linked"), home.resolve("a"));
      assertThat(workspace.readString("Linked")).isEqualTo("small");
    }
  }
}
