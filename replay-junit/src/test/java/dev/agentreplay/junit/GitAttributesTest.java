package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitAttributesTest {

  @TempDir
  private Path root;

  private Path folder;
  private Path attributes;

  @BeforeEach
  void repository() throws IOException {
    Files.createDirectory(root.resolve(".git"));
    folder = Files.createDirectories(root.resolve("src/test/resources"));
    attributes = folder.resolve(".gitattributes");
  }

  @Test
  void folder_without_attributes_gets_them() throws IOException {
    assertThat(GitAttributes.protect(folder)).contains("wrote " + attributes);
    assertThat(attributes)
        .content()
        .endsWith("\n*.jsonl -text\n*.jsonl.* -text\nRECEIPT*.json -text\n"
            + "PUBLIC_CHECKPOINT.json -text\n**/snapshot/files/** -text\n");
    assertThat(GitAttributes.protect(folder)).isNull();
  }

  @Test
  void attributes_in_effect_above_are_enough() throws IOException {
    Files.writeString(
        root.resolve(".gitattributes"),
        "*.sh eol=lf\n*.jsonl   -text\n*.json binary\n*.jsonl.* -text\n**/snapshot/** -text\n");
    assertThat(GitAttributes.protect(folder)).isNull();
    assertThat(attributes).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# *.jsonl -text\n# RECEIPT*.json -text",
        "docs/*.jsonl -text\nRECEIPT*.json -text",
        "#* -text",
        "*.jsonl -text",
        "RECEIPT*.json -text",
        "* -text\n* text=auto",
        "*.jsonl -text\nRECEIPT*.json -text",
        "*.jsonl* -text\nRECEIPT.json -text\n**/snapshot/** -text",
        "*.jsonl* -text\nRECEIPT*.json -text",
        "* -text\n*.jsonl.* text",
        "* -text\n*.bat text",
        "* -text\nRECEIPT.json text",
        "* -text\n*.jsonl text eol=lf",
        "* text=auto eol=lf"
      })
  void attributes_of_other_files_or_of_some_are_not_enough(String text) throws IOException {
    Files.writeString(root.resolve(".gitattributes"), text + "\n");
    assertThat(GitAttributes.protect(folder)).contains("wrote " + attributes);
  }

  @Test
  void conversion_of_a_nearer_file_wins() throws IOException {
    Files.writeString(root.resolve(".gitattributes"), "* -text\n");
    Files.writeString(root.resolve("src/.gitattributes"), "* text=auto\n");
    assertThat(GitAttributes.protect(folder)).contains("wrote " + attributes);
  }

  @Test
  void line_ends_of_logs_and_receipts_are_kept_as_lf_as_well() throws IOException {
    Files.writeString(root.resolve(".gitattributes"), "* text=auto eol=lf\n**/snapshot/** -text\n");
    assertThat(GitAttributes.protect(folder)).isNull();
  }

  @Test
  void attributes_of_the_user_are_left_unchanged_and_the_lines_are_printed() throws IOException {
    Files.writeString(attributes, "* text=auto\n");
    assertThat(GitAttributes.protect(folder))
        .contains("add to " + attributes)
        .endsWith(
            ": *.jsonl -text, *.jsonl.* -text, RECEIPT*.json -text, PUBLIC_CHECKPOINT.json -text,"
                + " **/snapshot/files/** -text");
    assertThat(attributes).hasContent("* text=auto\n");
  }

  @Test
  void folder_that_is_not_in_git_is_left_alone() throws IOException {
    Files.delete(root.resolve(".git"));
    assertThat(GitAttributes.protect(folder)).isNull();
    assertThat(attributes).doesNotExist();
  }
}
