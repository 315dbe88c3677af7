package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.MarkdownDocument.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocks of documents that name a file of an example are in that file, which the build of the
 * example compiles and tests.
 */
class ExampleFilesTest {

  private static final String EXAMPLES = "examples/";

  private static final Set<String> CODE = Set.of("java", "kotlin", "xml");

  @TempDir
  Path directory;

  @Test
  void blocks_are_in_the_files_that_they_name() throws IOException {
    for (Path document : MarkdownDocument.all()) {
      assertThat(differences(document)).as("%s", document).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"record-quarkus-langchain4j.md", "use-kotlin.md"})
  void code_of_a_guide_to_an_example_is_that_of_the_example(String guide) throws IOException {
    List<Block> code = blocks(MarkdownDocument.ROOT.resolve("docs/how-to").resolve(guide)).stream()
        .filter(block -> CODE.contains(block.language()))
        .toList();

    assertThat(code).hasSizeGreaterThanOrEqualTo(5).allSatisfy(block -> assertThat(block.name())
        .startsWith(EXAMPLES));
  }

  @Test
  void a_different_block_and_a_missing_file_are_found() throws IOException {
    Path document = directory.resolve("guide.md");
    String file = "examples/kotlin-agent/src/test/resources/greeting.txt";
    Files.writeString(
        document,
        """
        ```text %1$s
        Hello, world!
        ```

        ```text %1$s
        Hello, World!
        ```

        ```text examples/none.txt
        Hello, world!
        ```

        ```text other/none.txt
        Hello, world!
        ```
        """
            .formatted(file));

    assertThat(differences(document))
        .containsExactly("line 5: not in " + file, "line 9: not in examples/none.txt");
  }

  /** The blocks of a document that are not in the file of an example that they name. */
  private static List<String> differences(Path document) throws IOException {
    List<String> differences = new ArrayList<>();
    for (Block block : blocks(document)) {
      if (!block.name().startsWith(EXAMPLES)) {
        continue;
      }
      Path file = MarkdownDocument.ROOT.resolve(block.name());
      if (!Files.isRegularFile(file) || !Files.readString(file).contains(block.text())) {
        differences.add("line %d: not in %s".formatted(block.line() + 1, block.name()));
      }
    }
    return differences;
  }

  private static List<Block> blocks(Path document) throws IOException {
    return MarkdownDocument.read(document).blocks();
  }
}
