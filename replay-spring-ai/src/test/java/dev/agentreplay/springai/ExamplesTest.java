package dev.agentreplay.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.testkit.JavaExamples;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the examples of the Javadoc and of the guide. */
class ExamplesTest {

  private static final String IMPORTS =
      """
      import dev.agentreplay.engine.replay.*;
      import dev.agentreplay.engine.replay.policy.*;
      import dev.agentreplay.io.recording.*;
      import dev.agentreplay.io.session.*;
      import dev.agentreplay.junit.ReplaySession;
      import dev.agentreplay.springai.*;
      import dev.agentreplay.springai.test.*;
      import java.nio.file.*;
      import org.junit.jupiter.api.Test;
      import org.springframework.ai.chat.client.*;
      import org.springframework.ai.chat.client.advisor.*;
      import org.springframework.ai.chat.model.*;
      import org.springframework.ai.model.tool.*;
      import org.springframework.beans.factory.annotation.Autowired;
      import static org.assertj.core.api.Assertions.assertThat;
      """;

  @Test
  void examples_compile(@TempDir Path directory) throws Exception {
    JavaExamples examples = JavaExamples.withImports(IMPORTS)
        .javadoc(Path.of("src/main/java"))
        .document(Path.of("../docs/how-to", "record-spring-ai.md"));
    assertThat(examples.size()).isGreaterThanOrEqualTo(8);
    examples.compile(
        directory,
        """
        ChatModel model; Object tools; Session session; SpringAiRecorder recorder; Path sessions;
        static class Files {}
        interface Assistant { String ask(String question); }
        """);
  }
}
