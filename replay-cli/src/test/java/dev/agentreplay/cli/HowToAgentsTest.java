package dev.agentreplay.cli;

import dev.agentreplay.testkit.DiskTempDir;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Follows the guides that run agents, which are programs in Python, in a sandbox. */
@Tag("documents")
@Tag("slow")
@DisabledOnOs(OS.WINDOWS)
class HowToAgentsTest {

  static List<Path> guides() throws IOException {
    return Guides.withCommands(true);
  }

  @ParameterizedTest
  @MethodSource("guides")
  void guide_works_as_written(Path guide, @DiskTempDir Path directory, @TempDir Path tools)
      throws Exception {
    requirePrograms(guide);
    Guides.follow(guide, directory, tools);
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
}
