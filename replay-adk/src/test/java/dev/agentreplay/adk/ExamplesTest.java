package dev.agentreplay.adk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.testkit.JavaExamples;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the documents and of Javadoc compile. */
class ExamplesTest {

  private static final Path HOW_TO = Path.of("../docs/how-to");

  @TempDir
  private Path directory;

  @Test
  void java_blocks_of_the_documents_compile_unchanged() throws IOException {
    JavaExamples examples =
        JavaExamples.withImports("").document(HOW_TO.resolve("record-google-adk.md"));
    assertThat(examples.size()).isGreaterThanOrEqualTo(4);
    examples.compile(directory, "");
  }

  @Test
  void javadoc_examples_compile() throws IOException {
    String imports =
        """
        import com.google.adk.agents.*;
        import com.google.adk.apps.*;
        import com.google.adk.runner.*;
        import com.google.adk.sessions.Session;
        import com.google.genai.types.Content;
        import com.google.genai.types.Part;
        import dev.agentreplay.adk.*;
        import dev.agentreplay.engine.replay.*;
        import dev.agentreplay.engine.replay.policy.*;
        import dev.agentreplay.io.recording.*;
        import java.nio.file.Path;
        import java.util.List;
        """;
    String given =
        """
        Path sessions; BaseAgent agent; AdkRecorder recorder; String user, conversation;
        Content message; dev.agentreplay.io.session.Session session;
        """;
    JavaExamples.withImports(imports).javadoc(Path.of("src/main/java")).compile(directory, given);
  }
}
