package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The reader reads back every event that the writer accepts; other events are refused. */
class WhatIsWrittenCanBeReadTest {

  @TempDir
  Path directory;

  @ParameterizedTest
  @EnumSource
  void deepest_values_that_are_accepted_are_read_back(Dialect dialect) throws IOException {
    Path file = directory.resolve("log");
    // params of the dialect type are an object
    JsonObject params = JsonObject.of("p", nested(JsonValue.MAX_DEPTH - 2));
    ToolCall call = ToolCall.of("a", "t", params).withStepId("step");
    SideEffect deep =
        new SideEffect(JsonObject.of("type", "x", "of", nested(JsonValue.MAX_DEPTH - 3)));
    try (ReplayWriter writer =
        ReplayWriter.create(file, header(dialect), WriterOptions.defaults().withDialect(dialect))) {
      writer.emit(call);
      writer.emit(ToolResult.of("a", "x").withLatencyMillis(1L).withSideEffects(List.of(deep)));
      long size = Files.size(file);
      JsonObject deepest = JsonObject.of("p", nested(JsonValue.MAX_DEPTH - 1));
      assertRefused(writer, ToolCall.of("b", "t", deepest), "nested deeper");
      SideEffect deeper =
          new SideEffect(JsonObject.of("type", "x", "of", nested(JsonValue.MAX_DEPTH - 2)));
      assertRefused(
          writer,
          ToolResult.of("b", "x").withLatencyMillis(1L).withSideEffects(List.of(deeper)),
          "nested deeper");
      assertThat(Files.size(file)).isEqualTo(size);
    }
    List<ReplayLine> lines = read(file);
    assertThat(lines).hasSize(3);
    ToolCall back = (ToolCall) lines.get(1).event();
    assertThat(back.params().value()).isEqualTo(call.params().value());
    assertThat(back.stepId()).isEqualTo("step");
  }

  @Test
  void line_that_is_too_long_is_refused_and_the_next_is_written() throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      String text = "x".repeat(LineEncoder.MAX_LINE_BYTES);
      assertRefused(writer, ToolResult.of("a", text).withLatencyMillis(1L), "bytes");
      writer.emit(ToolCall.of("a", "t", JsonObject.EMPTY));
    }
    assertThat(read(file)).hasSize(2);
  }

  static Stream<ReplayEvent> evading() {
    String hash = ContentHash.sha256(new byte[0]).toString();
    ToolResult result = ToolResult.of("a", "x").withLatencyMillis(1L);
    return Stream.of(
        extra(ToolCall.of("a", "t", JsonObject.EMPTY), "params_hash", hash),
        extra(result, "output_hash", hash),
        extra(result.withLatencyMillis(null), "latency_ms", -5),
        extra(result, "step_utility", 7.5),
        extra(result, "t", "2026-01-01T00:00:00Z"),
        extra(SessionEnd.of(Status.SUCCESS), "status", "Failed"),
        new UnknownEvent("", Meta.NONE),
        new UnknownEvent("SessionEnd", Meta.NONE),
        new UnknownEvent("ReplayHeader", Meta.NONE));
  }

  @ParameterizedTest
  @MethodSource
  void evading(ReplayEvent event) throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      long size = Files.size(file);
      assertThatIllegalArgumentException().isThrownBy(() -> writer.emit(event));
      assertThat(Files.size(file)).isEqualTo(size);
    }
  }

  @Test
  void malformed_time_that_was_kept_is_written_back_and_no_time_is_claimed() throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      ReplayEvent event = extra(ToolCall.of("a", "t", JsonObject.EMPTY), "t", "yesterday");
      assertThat(writer.emit(event).time()).isNull();
    }
    assertThat(Files.readString(file)).contains("\"t\":\"yesterday\"");
  }

  @Test
  void header_that_names_an_unknown_canonicalization_is_refused() {
    Path file = directory.resolve("log");
    ReplayHeader header = new ReplayHeader("1", "p", null, "rot13", null, null, Meta.NONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplayWriter.create(file, header))
        .withMessageContaining("rot13");
    assertThat(file).doesNotExist();
  }

  @Test
  void total_of_latencies_stays_within_a_long() throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      writer.emit(SessionStart.of("s"));
      for (int i = 0; i < 2; i++) {
        writer.emit(ToolResult.of("a", 1).withLatencyMillis(Long.MAX_VALUE));
      }
      SessionEnd end = (SessionEnd) writer.emit(SessionEnd.of(Status.SUCCESS)).event();
      assertThat(end.totalLatencyMillis()).isEqualTo(Long.MAX_VALUE);
      assertThat(end.confidence()).isEqualTo(1.0);
      assertThat(writer.replayHash()).isEqualTo(new Session(file, null).replayHash());
    }
  }

  private static void assertRefused(ReplayWriter writer, ReplayEvent event, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.emit(event))
        .withMessageContaining(why);
  }

  /** The draft states the session in its header. */
  private static ReplayHeader header(Dialect dialect) {
    return ReplayHeader.of("p")
        .withVersion(dialect.version())
        .withMeta(Meta.NONE.withSessionId("s"));
  }

  private static ReplayEvent extra(ReplayEvent event, String name, Object value) {
    return event.withMeta(event.meta().withExtra(JsonObject.of(name, value)));
  }

  private static JsonValue nested(int depth) {
    JsonValue value = JsonArray.EMPTY;
    while (value.depth() < depth) {
      value = JsonArray.copyOf(List.of(value));
    }
    return value;
  }

  private static List<ReplayLine> read(Path file) throws IOException {
    List<ReplayLine> lines = new ArrayList<>();
    try (ReplayReader reader = ReplayReader.open(file)) {
      for (ReplayLine line : reader) {
        assertThat(line.findings()).extracting(Finding::message).isEmpty();
        lines.add(line);
      }
    }
    return lines;
  }
}
