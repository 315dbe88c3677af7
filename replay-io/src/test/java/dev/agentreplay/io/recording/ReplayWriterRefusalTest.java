package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Events that a writer refuses; the file stays unchanged, and the next event is written. */
class ReplayWriterRefusalTest {

  private static final ContentHash WRONG = ContentHash.parse("sha256:" + "0".repeat(64));

  @TempDir
  private Path directory;

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(Dialect.EVENT, ReplayHeader.of("again"), "header was written"),
        Arguments.of(Dialect.EVENT, result().withStepUtility(1.5), "step_utility"),
        Arguments.of(Dialect.EVENT, result().withStepUtility(-1.01), "step_utility"),
        Arguments.of(Dialect.EVENT, result().withStepUtility(Double.NaN), "step_utility"),
        Arguments.of(Dialect.EVENT, result().withLatencyMillis(-1L), "latency_ms"),
        Arguments.of(Dialect.EVENT, result().withLatencyMillis(null), "latency_ms"),
        Arguments.of(Dialect.TYPE, result().withLatencyMillis(null), "latency_ms"),
        Arguments.of(Dialect.EVENT, end(2.0), "confidence"),
        Arguments.of(Dialect.EVENT, end(-0.1), "confidence"),
        Arguments.of(Dialect.EVENT, end(1.0).withTotals(-1, 0), "total_tool_calls"),
        Arguments.of(Dialect.EVENT, PlanStart.of(WRONG, -1), "step_count"),
        Arguments.of(Dialect.EVENT, StepComplete.of("s", Status.SUCCESS, 256), "iterations"),
        Arguments.of(Dialect.EVENT, start(null), "session_id"),
        Arguments.of(
            Dialect.EVENT,
            ToolCall.of("c", "t", JsonObject.EMPTY).withAttempt(Attempt.first("")),
            "effect_id must not be blank"),
        Arguments.of(
            Dialect.EVENT,
            new ToolCall(
                "c",
                "t",
                new Content(JsonObject.EMPTY, WRONG, null, null),
                null,
                Attempt.NONE,
                Meta.NONE),
            "params_hash"),
        Arguments.of(
            Dialect.EVENT,
            new ToolCall("c", "t", Content.NONE, null, Attempt.NONE, Meta.NONE),
            "params_hash"),
        Arguments.of(
            Dialect.EVENT,
            new ToolResult(
                "c",
                new Content(JsonString.of("x"), WRONG, null, null),
                Outcome.NONE,
                null,
                Timing.of(1L),
                List.of(),
                Meta.NONE),
            "output_hash"),
        Arguments.of(
            Dialect.EVENT,
            ToolCall.of("c", "t", JsonObject.EMPTY)
                .withMeta(Meta.NONE.withExtra(JsonObject.of("tool", "other"))),
            "twice"),
        Arguments.of(Dialect.EVENT, new UnknownEvent("", Meta.NONE), "must have a type"),
        Arguments.of(Dialect.TYPE, new UnknownEvent("ToolCall", Meta.NONE), "must have a type"),
        Arguments.of(
            Dialect.EVENT,
            ToolResult.of("c", nested(1_000)).withLatencyMillis(1L),
            "nested deeper"),
        Arguments.of(Dialect.EVENT, end(1.0).withTotals(0, 5), "total_latency_ms"),
        Arguments.of(Dialect.EVENT, end(1.0).withTotals(1, 0), "total_tool_calls"),
        Arguments.of(
            Dialect.TYPE,
            Verification.of(CommandRun.of("a", 0), CommandRun.of("b", 0)),
            "one command"));
  }

  @ParameterizedTest(name = "{0}: {2}, {1}")
  @MethodSource("refused")
  void event_is_refused_and_nothing_is_written(Dialect dialect, ReplayEvent event, String message)
      throws IOException {
    Path file = directory.resolve("log");
    WriterOptions options = WriterOptions.defaults().withDialect(dialect);
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"), options)) {
      byte[] before = Files.readAllBytes(file);

      assertThatThrownBy(() -> writer.emit(event))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(message);

      assertThat(Files.readAllBytes(file)).isEqualTo(before);
      assertThat(writer.emit(result()).position().line()).isEqualTo(2);
    }
    assertThat(TestLogs.readAll(Files.readAllBytes(file))).hasSize(2);
  }

  @Test
  void refused_events_do_not_count_for_the_totals() throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      ToolCall wrong = new ToolCall(
          "c",
          "t",
          new Content(JsonObject.EMPTY, WRONG, null, null),
          null,
          Attempt.NONE,
          Meta.NONE);
      assertThatThrownBy(() -> writer.emit(wrong)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.emit(result().withStepUtility(2.0)))
          .isInstanceOf(IllegalArgumentException.class);
      SessionEnd end = (SessionEnd) writer.emit(end(1.0)).event();

      assertThat(end.totalToolCalls()).isZero();
      assertThat(end.totalLatencyMillis()).isZero();
    }
  }

  @Test
  void event_after_the_end_is_refused() throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      writer.emit(end(1.0));
      byte[] before = Files.readAllBytes(file);

      assertThatThrownBy(() -> writer.emit(result()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has ended");
      assertThatThrownBy(() -> writer.emit(end(1.0))).isInstanceOf(IllegalStateException.class);
      assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }
  }

  @Test
  void event_after_close_is_refused_and_closing_twice_does_nothing() throws IOException {
    Path file = directory.resolve("log");
    ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"));
    writer.close();
    writer.close();
    byte[] before = Files.readAllBytes(file);

    assertThatThrownBy(() -> writer.emit(result()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void existing_file_is_refused_and_kept() throws IOException {
    Path file = directory.resolve("log");
    Files.writeString(file, "precious");

    assertThatThrownBy(() -> ReplayWriter.create(file, ReplayHeader.of("p")))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("precious");
  }

  @Test
  void header_that_cannot_be_written_leaves_no_file() {
    Path file = directory.resolve("log");
    ReplayHeader other = new ReplayHeader("2", "p", null, null, null, null, Meta.NONE);
    ReplayHeader unknown = ReplayHeader.of("p").withCanonicalization("rot13");
    ReplayHeader doubled =
        ReplayHeader.of("p").withMeta(Meta.NONE.withExtra(JsonObject.of("producer", "q")));

    for (ReplayHeader header : List.of(other, unknown, doubled)) {
      assertThatThrownBy(() -> ReplayWriter.create(file, header))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(file).doesNotExist();
    }
  }

  private static JsonValue nested(int depth) {
    JsonValue value = JsonArray.EMPTY;
    for (int i = 1; i < depth; i++) {
      value = JsonArray.of(value);
    }
    return value;
  }

  private static ToolResult result() {
    return ToolResult.of("c", "x").withLatencyMillis(1L);
  }

  private static SessionEnd end(double confidence) {
    return SessionEnd.of(Status.SUCCESS).withConfidence(confidence);
  }

  private static SessionStart start(String sessionId) {
    return SessionStart.of("s").withMeta(Meta.NONE.withSessionId(sessionId));
  }
}
