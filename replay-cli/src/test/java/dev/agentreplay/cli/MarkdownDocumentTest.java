package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.cli.MarkdownDocument.Block;
import dev.agentreplay.cli.MarkdownDocument.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of documents that are compared and rewritten. */
class MarkdownDocumentTest {

  private static final String TEXT =
      """
      # Title

      ## One

      ```console
      # not a heading
      old
      ```

      ```json
      {}
      ```

      ## Two

      text
      """;

  @TempDir
  Path directory;

  private Path file;
  private MarkdownDocument document;

  @BeforeEach
  void read() throws IOException {
    file = Files.writeString(directory.resolve("document.md"), TEXT);
    document = MarkdownDocument.read(file);
  }

  @Test
  void sections_have_their_level_title_and_blocks() {
    assertThat(document.sections())
        .extracting(Section::level, Section::title)
        .containsExactly(tuple(1, "Title"), tuple(2, "One"), tuple(2, "Two"));
    assertThat(document.section("One").blocks())
        .extracting(Block::language, Block::text)
        .containsExactly(tuple("console", "# not a heading\nold\n"), tuple("json", "{}\n"));
    assertThat(document.section("Two").text()).isEqualTo("\ntext\n");
  }

  @Test
  void replaced_block_leaves_everything_else_as_it_was() throws IOException {
    document.replaceBlock(document.section("One").block("console"), "new\nlines\n");
    document.replaceBlock(document.section("One").block("json"), "");
    document.save();
    assertThat(file)
        .hasContent(TEXT.replace("# not a heading\nold\n", "new\nlines\n").replace("{}\n", ""));
  }

  @Test
  void outdated_block_is_not_replaced() {
    Block json = document.section("One").block("json");
    document.replaceBlock(document.section("One").block("console"), "new\n");
    assertThatThrownBy(() -> document.replaceBlock(json, "[]\n"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("outdated");
  }

  @Test
  void block_that_shows_something_else_fails_the_comparison() throws IOException {
    Assumptions.assumeThat(MarkdownDocument.isRewriting()).isFalse();
    document.check("One", "json", "{}\n");
    assertThatThrownBy(() -> document.check("One", "json", "[]\n"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("document.md, section One; -Dreplay.documents=write rewrites it");
    assertThat(file).hasContent(TEXT);
  }

  @Test
  void document_is_rewritten_on_request_only_and_never_in_continuous_integration() {
    assertThat(MarkdownDocument.isRewriting("write", Map.of())).isTrue();
    assertThat(MarkdownDocument.isRewriting("write", Map.of("CI", "true"))).isFalse();
    assertThat(MarkdownDocument.isRewriting("write", Map.of("CI", ""))).isFalse();
    assertThat(MarkdownDocument.isRewriting("read", Map.of())).isFalse();
    assertThat(MarkdownDocument.isRewriting(null, Map.of())).isFalse();
  }
}
