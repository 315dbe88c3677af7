package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Follows the tutorial: each file, each command and what it prints. */
@Tag("documents")
@DisabledOnOs(OS.WINDOWS)
class TutorialTest {

  @Test
  @Tag("slow")
  void tutorial_works_as_written(@TempDir Path directory, @TempDir Path tools) throws Exception {
    DocumentShell shell = new DocumentShell(directory, tools);

    int commands = shell.follow(Path.of("../docs/tutorial.md"));

    assertThat(commands).isGreaterThanOrEqualTo(15);
    assertThat(shell.files())
        .contains("src/main/java/Agent.java", "pom.xml", "src/test/java/AgentTest.java");
  }
}
