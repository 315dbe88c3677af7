package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A command that reads a trace leaves no files, also if it is interrupted. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class InterruptedTraceTest {

  /** More lines than a pipe holds, so that the command waits for its reader. */
  private static final int MESSAGES = 5_000;

  @TempDir
  private Path home;

  @Test
  @Tag("slow")
  void imported_files_are_deleted() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < MESSAGES; i++) {
      lines.append(
          "{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u%1$d\",\"message\":".formatted(i));
      lines.append("{\"role\":\"user\",\"content\":\"message %d\"}}\n".formatted(i));
    }
    Path trace = Files.writeString(home.resolve("trace.jsonl"), lines);
    Path temporary = Files.createDirectory(home.resolve("temporary"));
    Process process = CommandProcess.in(temporary, "show", trace).start();
    try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
      assertThat(err.readLine()).contains("imported 5,001 events from a Claude Code transcript");
      assertThat(temporary).isNotEmptyDirectory();

      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

      assertThat(process.waitFor()).isEqualTo(ExitCode.INTERRUPTED);
      assertThat(temporary).isEmptyDirectory();
    } finally {
      process.destroyForcibly();
    }
  }
}
