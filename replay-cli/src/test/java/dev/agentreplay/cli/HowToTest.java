package dev.agentreplay.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Follows the guides that run no agents, and the page on diffing. */
@Tag("documents")
@DisabledOnOs(OS.WINDOWS)
class HowToTest {

  static List<Path> guides() throws IOException {
    return Guides.withCommands(false);
  }

  @Test
  @Tag("slow")
  void page_on_diffing_works_as_written(@TempDir Path directory, @TempDir Path tools)
      throws Exception {
    Guides.follow(Guides.DOCUMENTS.resolve("diffing.md"), directory, tools);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("guides")
  void guide_works_as_written(Path guide, @TempDir Path directory, @TempDir Path tools)
      throws Exception {
    Guides.follow(guide, directory, tools);
  }
}
