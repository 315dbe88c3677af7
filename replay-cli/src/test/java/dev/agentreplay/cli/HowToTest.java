package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Follows the guides, each in a directory of its own in which {@code sessions/} has recorded
 * sessions: {@code task-18_trial-0} to {@code task-18_trial-3}, runs of one task by one agent.
 */
@Tag("documents")
@DisabledOnOs(OS.WINDOWS)
class HowToTest {

  private static final Path DOCUMENTS = Path.of("../docs");
  private static final Path SESSIONS = Path.of("../replay-engine/src/test/resources/sessions");

  static List<Path> guides() throws IOException {
    try (Stream<Path> files = Files.list(DOCUMENTS.resolve("how-to"))) {
      return files.filter(HowToTest::hasCommands).sorted().toList();
    }
  }

  /** Whether a guide has commands with their output; the code of all guides is compiled. */
  private static boolean hasCommands(Path guide) {
    try {
      return Files.readString(guide).contains("```console\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void page_on_diffing_works_as_written(@TempDir Path directory, @TempDir Path tools)
      throws Exception {
    guide_works_as_written(DOCUMENTS.resolve("diffing.md"), directory, tools);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("guides")
  void guide_works_as_written(
      Path guide,
      @TempDir(factory = TempDirFactory.Standard.class) Path directory, // seen in a sandbox
      @TempDir Path tools)
      throws Exception {
    String text = Files.readString(guide);
    if (Stream.of("$ replay run", "--agents", "--subject").anyMatch(text::contains)) {
      requirePrograms(guide);
    }
    copySessions(directory.resolve("sessions"));

    int commands = new DocumentShell(directory, tools).follow(guide);

    assertThat(commands).isPositive();
  }

  private static void requirePrograms(Path guide) throws InterruptedException {
    if (!hasPython()) {
      System.err.println("SKIPPED: there is no python3, " + guide + " is NOT TESTED");
      Assumptions.abort("there is no python3");
    }
    SandboxedSessions.requireSandbox();
  }

  private static boolean hasPython() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException notFound) {
      return false;
    }
  }

  static void copySessions(Path target) throws IOException {
    try (Stream<Path> files = Files.walk(SESSIONS)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = target.resolve(SESSIONS.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }
}
