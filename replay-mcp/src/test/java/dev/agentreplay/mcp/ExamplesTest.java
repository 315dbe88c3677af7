package dev.agentreplay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.testkit.JavaExamples;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the Javadoc and of the guide compile. */
class ExamplesTest {

  private static final String IMPORTS =
      """
      import dev.agentreplay.engine.replay.*;
      import dev.agentreplay.engine.replay.policy.*;
      import dev.agentreplay.io.session.*;
      import dev.agentreplay.mcp.*;
      import io.modelcontextprotocol.client.*;
      import io.modelcontextprotocol.spec.*;
      import io.modelcontextprotocol.spec.McpSchema.*;
      import java.nio.file.*;
      import java.util.*;
      """;

  @TempDir
  Path directory;

  @Test
  void examples_compile() throws Exception {
    JavaExamples examples = JavaExamples.withImports(IMPORTS)
        .javadoc(Path.of("src/main/java"))
        .document(Path.of("../docs/how-to", "record-mcp.md"));

    assertThat(examples.size()).isGreaterThan(4);
    examples.compile(directory, "Session session; McpClientTransport transport;");
  }
}
