package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log with a line that is longer than a log may have by default. */
class LongLineTest {

  private static final String BEFORE =
      """
      {"event":"ReplayStart","replay_version":1}
      {"event":"ToolCall","id":"1","tool":"read","params":{}}
      """;

  @TempDir
  Path directory;

  @Test
  @Tag("slow")
  void comparison_refuses_the_line_with_its_place_unless_the_limit_is_raised() throws IOException {
    Session left = write("left", "x");
    Session right = write("right", "y");

    assertThatThrownBy(() -> SessionDiff.between(left, right))
        .isInstanceOfSatisfying(
            ReplayFormatException.class,
            e -> assertThat(e.position().offset()).isEqualTo(BEFORE.length()));

    ReaderOptions raised = ReaderOptions.defaults().withMaxLineBytes(20 << 20);
    SessionDiff diff =
        SessionDiff.between(left.withReaderOptions(raised), right.withReaderOptions(raised));
    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.OUTPUT);
  }

  private Session write(String name, String end) throws IOException {
    String output = "x".repeat(17 << 20) + end;
    return new Session(
        Files.writeString(
            directory.resolve(name),
            BEFORE + "{\"event\":\"ToolResult\",\"id\":\"1\",\"output\":\"" + output + "\"}\n"),
        null);
  }
}
