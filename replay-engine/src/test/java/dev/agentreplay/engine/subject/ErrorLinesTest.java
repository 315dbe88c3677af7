package dev.agentreplay.engine.subject;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorLinesTest {

  private final List<String> passed = new ArrayList<>();
  private final ErrorLines errors = new ErrorLines(passed::add);

  @Test
  void lines_are_passed_without_their_ends() {
    errors.read(text("one\r\n\ntwo"));

    assertThat(passed).containsExactly("one", "", "two");
    assertThat(errors.tail()).isEqualTo(":\none\n\ntwo");
  }

  @Test
  void flood_is_cut_with_a_last_line_but_its_end_is_kept() {
    String line = "x".repeat(99);
    int lines = ErrorLines.MAX_PASSED / 100;
    errors.read(text((line + "\n").repeat(2 * lines) + "the end"));

    assertThat(passed).hasSize(lines + 1);
    assertThat(passed.subList(0, lines)).containsOnly(line);
    assertThat(passed.get(lines))
        .isEqualTo("… (standard error: more than 1,048,576 characters, the rest is left out)");
    assertThat(errors.tail()).endsWith("\nthe end");
  }

  @Test
  void long_line_is_cut() {
    errors.read(text("x".repeat(20_000) + "\nnext"));

    assertThat(passed).containsExactly("x".repeat(10_000) + "…", "next");
  }

  @Test
  void stream_is_read_to_its_end_when_the_receiver_fails() {
    ErrorLines failing = new ErrorLines(line -> {
      throw new IllegalStateException();
    });
    failing.read(text("one\ntwo"));

    assertThat(failing.tail()).isEqualTo(":\none\ntwo");
  }

  private static InputStream text(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
