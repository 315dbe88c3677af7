package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The records of a trace that an import keeps are not compared. */
class ImportedDiffTest {

  private static final DiffOptions STRICT = DiffOptions.defaults().withStrict(true);

  @TempDir
  private Path directory;

  static List<String> types() {
    return TestEvents.EVERY.types();
  }

  private static JsonObject record(int line) {
    return JsonObject.of(
        "hash",
        "sha256:" + "ab".repeat(32),
        "line",
        line,
        "record",
        "assistant",
        "rest",
        JsonObject.of("uuid", "u" + line));
  }

  @ParameterizedTest
  @MethodSource("types")
  void event_that_differs_only_in_its_record_is_identical(String type) throws IOException {
    TestEvents other = TestEvents.EVERY.with(type, "imported", record(1));
    if (!type.equals("RuntimeEvent")) {
      assertSame(TestEvents.EVERY, other, DiffOptions.defaults());
      assertSame(TestEvents.EVERY, other, STRICT);
    }
    assertSame(TestEvents.EVERY.with(type, "imported", record(2)), other, DiffOptions.defaults());
    assertSame(TestEvents.EVERY.with(type, "imported", record(2)), other, STRICT);
  }

  /** The records of two formats differ, and are not conduct of the agent. */
  @Test
  void record_that_is_kept_as_an_event_is_compared_only_strictly() throws IOException {
    TestEvents kept = TestEvents.EVERY.with("RuntimeEvent", "imported", record(1));
    TestEvents other =
        kept.with("RuntimeEvent", "runtime_event_type", JsonValue.of("claude-code/mode"));

    assertSame(kept, other, DiffOptions.defaults());
    assertSame(kept, kept.without("RuntimeEvent"), DiffOptions.defaults());
    assertThat(compare(kept, other, STRICT).isIdentical()).isFalse();
    assertThat(compare(TestEvents.EVERY, TestEvents.EVERY.without("RuntimeEvent"), STRICT)
            .isIdentical())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"true", "{}", "{\"record\":\"user\"}", "{\"hash\":\"x\",\"record\":\"user\"}"})
  void member_of_the_same_name_and_a_different_form_is_compared(String value) throws IOException {
    TestEvents changed = TestEvents.EVERY.with("ToolCall", "imported", JsonText.parse(value));
    assertThat(compare(TestEvents.EVERY, changed, DiffOptions.defaults()).isIdentical())
        .isFalse();
  }

  private void assertSame(TestEvents left, TestEvents right, DiffOptions options)
      throws IOException {
    SessionDiff diff = compare(left, right, options);
    assertThat(diff.divergences()).isEmpty();
    assertThat(diff.isIdentical()).isTrue();
    assertThat(diff.similarity()).isEqualTo(100);
  }

  private SessionDiff compare(TestEvents left, TestEvents right, DiffOptions options)
      throws IOException {
    return SessionDiff.between(
        left.write(directory.resolve("left")), right.write(directory.resolve("right")), options);
  }
}
