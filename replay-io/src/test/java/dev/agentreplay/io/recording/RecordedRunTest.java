package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.MediaContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools that a recorder runs: what comes out of them reaches the caller, and the log. */
class RecordedRunTest {

  @TempDir
  private Path directory;

  private SessionRecorder session;

  @BeforeEach
  void start() throws IOException {
    session = SessionRecorder.start(directory, "s");
  }

  @AfterEach
  void close() throws IOException {
    session.close();
  }

  @Test
  void what_the_tool_returns_is_returned_and_recorded() throws Exception {
    List<Integer> output = session.run("tool", JsonObject.EMPTY, () -> List.of(1, 2));

    assertThat(output).containsExactly(1, 2);
    assertThat(onlyResult().output().value()).isEqualTo(JsonValue.of(List.of(1, 2)));
    assertThat(onlyResult().outcome()).isEqualTo(Outcome.NONE);
  }

  @Test
  void nothing_returned_is_recorded_as_null() throws Exception {
    assertThat(session.<Object>run("tool", JsonObject.EMPTY, () -> null)).isNull();
    assertThat(onlyResult().output().value().isNull()).isTrue();
  }

  @Test
  void what_the_tool_throws_is_thrown_and_recorded() throws Exception {
    IOException failure = new IOException("no route");
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, throwing(failure)))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();
    assertThat(onlyResult().outcome()).isEqualTo(Outcome.failed("java.io.IOException", "no route"));
  }

  @Test
  void errors_are_recorded_too() throws Exception {
    AssertionError failure = new AssertionError("bad");
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, () -> {
          throw failure;
        }))
        .isSameAs(failure);
    assertThat(onlyResult().outcome().succeeded()).isFalse();
  }

  @Test
  void output_without_a_json_form_is_returned_and_recorded_by_its_text() throws Exception {
    Object plain = new Object();
    Object returned = session.run("tool", JsonObject.EMPTY, () -> plain);

    assertThat(returned).isSameAs(plain);
    assertThat(onlyResult().outcome()).isEqualTo(Outcome.NONE);
    assertThat(onlyResult().output().value()).isEqualTo(JsonValue.of("java.lang.Object"));
    assertThat(onlyResult().meta().extra().get("java_types"))
        .isEqualTo(JsonObject.of("/output", "java.lang.Object"));
  }

  @Test
  void tool_of_a_recorded_call_uses_the_call_while_it_runs() throws Exception {
    PendingCall call = session.effect("charge", JsonObject.of("cents", 1200));

    String returned = call.run(() -> {
      call.chunk("charged ");
      call.chunk(call.effectId());
      return "charged " + call.effectId();
    });

    assertThat(returned).isEqualTo("charged " + call.effectId());
    assertThat(onlyResult().output().value()).isEqualTo(JsonValue.of(returned));
    assertThat(onlyResult().timing().chunks().size()).isEqualTo(2);
    assertThat(call.call().attempt().effectId()).isEqualTo(call.effectId());
  }

  @Test
  void tool_of_a_recorded_call_is_not_run_twice() throws Exception {
    PendingCall call = session.effect("charge", JsonObject.EMPTY);
    IOException failure = new IOException("no route");
    assertThatThrownBy(() -> call.run(throwing(failure))).isSameAs(failure);

    assertThatThrownBy(() -> call.run(() -> {
          throw new AssertionError("run again");
        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("call call-1 has a result already");
    assertThat(onlyResult().outcome()).isEqualTo(Outcome.failed("java.io.IOException", "no route"));
  }

  @Test
  void tool_of_a_recorded_call_is_not_run_while_it_runs() throws Exception {
    PendingCall call = session.effect("charge", JsonObject.EMPTY);

    call.run(() -> {
      assertThatThrownBy(() -> call.run(() -> "again"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the tool of call call-1 was run already");
      return "charged";
    });

    assertThat(onlyResult().output().value()).isEqualTo(JsonValue.of("charged"));
  }

  @Test
  void output_is_kept_without_pieces_that_do_not_form_it() throws Exception {
    PendingCall call = session.call("read", JsonObject.EMPTY);

    call.run(() -> {
      call.chunk("text\n");
      return "text";
    });

    assertThat(onlyResult().output().value()).isEqualTo(JsonValue.of("text"));
    assertThat(onlyResult().timing().chunks().isEmpty()).isTrue();
    assertThat(onlyResult().meta().extra().names()).containsExactly("chunks_unrecorded");
    assertThat(session.unrecordedEvents()).isZero();
  }

  @Test
  void result_that_a_call_got_while_its_tool_ran_stays() throws Exception {
    PendingCall call = session.call("read", JsonObject.EMPTY);

    assertThat(call.run(() -> {
          call.timedOut("slow");
          return "late";
        }))
        .isEqualTo("late");
    assertThat(onlyResult().outcome()).isEqualTo(Outcome.timedOut("slow"));
    assertThat(session.unrecordedEvents()).isZero();
    assertThat(session.lastFailure()).isNull();
  }

  @Test
  void failure_after_a_time_out_is_thrown_as_it_is() throws Exception {
    PendingCall call = session.call("read", JsonObject.EMPTY);
    IOException failure = new IOException("no route");

    assertThatThrownBy(() -> call.run(() -> {
          call.timedOut("slow");
          throw failure;
        }))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();
  }

  @Test
  void media_type_of_bytes_is_recorded_next_to_them() throws Exception {
    byte[] png = {(byte) 0xfb, 1};
    byte[] returned = session.run(
        "screenshot", JsonObject.EMPTY, () -> png, bytes -> MediaContent.of("image/png", bytes));

    assertThat(returned).isSameAs(png);
    assertThat(onlyResult().output().value()).isEqualTo(JsonValue.of("+wE="));
    assertThat(onlyResult().meta().extra())
        .isEqualTo(JsonObject.of("media_types", JsonObject.of("/output", "image/png")));
  }

  @Test
  void record_is_recorded_by_its_components() throws Exception {
    Weather weather = new Weather(Duration.ofMinutes(5), Optional.empty(), new byte[] {1, -1});

    assertThat(session.run("tool", JsonObject.EMPTY, () -> weather)).isSameAs(weather);
    assertThat(onlyResult().output().value())
        .isEqualTo(JsonObject.of("age", "PT5M", "station", null, "image", "Af8="));
    assertThat(onlyResult().meta().extra().names()).containsExactly("media_types");
  }

  record Weather(Duration age, Optional<String> station, byte[] image) {}

  @Test
  void text_that_is_cut_through_a_character_is_returned_and_kept_exactly() throws Exception {
    List<String> cut = List.of("whole", "half \ud83d");

    assertThat(session.run("tool", JsonObject.EMPTY, () -> cut)).isSameAs(cut);
    assertThat(onlyResult().output().value()).isEqualTo(JsonArray.of("whole", "half \ufffd"));
    String exact = onlyResult().meta().extra().at("/utf16/~1output~11").asString();
    assertThat(ByteBuffer.wrap(Base64.getDecoder().decode(exact)).asCharBuffer().toString())
        .isEqualTo("half \ud83d");
  }

  @Test
  void params_of_any_type_are_recorded_as_json() throws Exception {
    record Edit(Path path, List<Integer> lines) {}
    session.run("edit", new Edit(Path.of("a"), List.of(1, 2)), () -> null);
    session.call("none", null);
    session.call("cut", Map.of("text", "half \ud83d"));

    assertThat(calls())
        .extracting(call -> call.params().value())
        .containsExactly(
            JsonObject.of("path", "a", "lines", List.of(1, 2)),
            JsonNull.NULL,
            JsonObject.of("text", "half \ufffd"));
    assertThat(calls().get(2).meta().extra().at("/utf16").asObject().names())
        .containsExactly("/params/text");
  }

  @Test
  void params_without_a_json_form_are_refused_with_their_place_before_the_tool_runs()
      throws Exception {
    boolean[] ran = {false};
    Map<String, Object> params = Map.of("list", List.of(1, new Thread()));
    assertThatThrownBy(() -> session.run("tool", params, () -> ran[0] = true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("/params/list/1: expected a value with a JSON form, found a java.lang.Thread");
    assertThat(ran[0]).isFalse();
    assertThat(calls()).isEmpty();
  }

  @Test
  void number_that_json_cannot_represent_is_refused_and_named() {
    Map<String, Object> params = Map.of("list", List.of(1, Double.NaN));
    assertThatThrownBy(() -> session.call("tool", params))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("/params/list/1: expected a value with a JSON form, found a number that JSON"
            + " cannot represent: NaN");
    assertThatThrownBy(() -> session.call("tool", Float.NEGATIVE_INFINITY))
        .hasMessage("/params: expected a value with a JSON form, found a number that JSON"
            + " cannot represent: -Infinity");
  }

  @Test
  void failure_of_the_conversion_is_recorded_and_the_output_returned() throws Exception {
    String returned = session.run("tool", JsonObject.EMPTY, () -> "x", output -> {
      throw new AssertionError("conversion");
    });

    assertThat(returned).isEqualTo("x");
    assertThat(onlyResult().output().value().isNull()).isTrue();
    assertThat(onlyResult().outcome()).isEqualTo(Outcome.NONE);
    assertThat(onlyResult().meta().extra().get("output_unrecorded"))
        .isEqualTo(JsonValue.of("java.lang.AssertionError: conversion"));
  }

  @Test
  void latency_is_that_of_the_tool_alone() throws Exception {
    session.close();
    AtomicLong clock = new AtomicLong();
    Path timed = Files.createDirectory(directory.resolve("timed"));
    session = new RecordingStart(LocalDisk.INSTANCE, timed, RecorderOptions.defaults())
        .start(SessionStart.of("s"), clock::get);
    session.run(
        "tool",
        JsonObject.EMPTY,
        () -> clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(7)),
        output -> {
          clock.addAndGet(TimeUnit.SECONDS.toNanos(9)); // the conversion takes its time
          return output;
        });

    assertThat(onlyResult(session.directory()).latencyMillis()).isEqualTo(7);
  }

  @Test
  void tool_that_ends_after_the_session_returns_its_value() throws Exception {
    String returned = session.run("tool", JsonObject.EMPTY, () -> {
      session.end(Status.CANCELLED, 0.5); // by another thread, say
      return "late";
    });

    assertThat(returned).isEqualTo("late");
    assertThat(session.unrecordedEvents()).isEqualTo(1);
    assertThat(session.lastFailure()).hasMessageContaining("\"call-1\"");
    session.close();
  }

  @Test
  void call_that_is_too_large_for_a_line_says_so_before_the_tool_runs() throws Exception {
    JsonObject large = JsonObject.of("text", "x".repeat(17 << 20));
    RecorderOptions options =
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withDialect(Dialect.DRAFT));
    try (SessionRecorder draft =
        SessionRecorder.start(directory.resolve("draft"), SessionStart.of("s"), options)) {
      assertThatThrownBy(() -> draft.run("write_file", large, () -> {
            throw new AssertionError("run");
          }))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the params of call \"call-1\" (write_file)")
          .hasMessageContaining("longer than 16 MiB")
          .hasMessageEndingWith("unless the dialect requires them in the log");
      assertThat(directory.resolve("draft/blobs")).doesNotExist();
    }
    session.run("write_file", large, () -> "written");
    ToolCall recorded = calls().get(0);
    assertThat(recorded.params().value()).isNull();
    assertThat(Session.open(directory).resolve(recorded.params())).isEqualTo(large);
  }

  @Test
  void what_the_tool_throws_is_thrown_even_if_it_cannot_be_recorded() throws Exception {
    IOException failure = new IOException("no route");
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, () -> {
          session.end(Status.CANCELLED, 0.5); // by another thread, say
          throw failure;
        }))
        .isSameAs(failure);
    assertThat(failure.getSuppressed()).singleElement().isInstanceOf(IllegalStateException.class);
  }

  @Test
  void failure_whose_message_is_cut_through_a_character_is_thrown_and_recorded() throws Exception {
    IOException failure = new IOException("cut \ud83d");
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, throwing(failure)))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();
    assertThat(onlyResult().output().value()).isEqualTo(JsonValue.of("cut \ufffd"));
  }

  @Test
  void tool_is_not_run_when_its_call_cannot_be_recorded() throws Exception {
    session.end(Status.SUCCESS, 1.0);
    boolean[] ran = {false};
    assertThatThrownBy(() -> session.run("tool", JsonObject.EMPTY, () -> ran[0] = true))
        .isInstanceOf(IllegalStateException.class);
    assertThat(ran[0]).isFalse();
  }

  private static Callable<Object> throwing(Exception failure) {
    return () -> {
      throw failure;
    };
  }

  private List<ToolCall> calls() throws IOException {
    List<ToolCall> calls = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ToolCall call) {
          calls.add(call);
        }
      }
    }
    return calls;
  }

  private ToolResult onlyResult() throws IOException {
    return onlyResult(directory);
  }

  private static ToolResult onlyResult(Path directory) throws IOException {
    List<ToolResult> results = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ToolResult result) {
          results.add(result);
        }
      }
    }
    assertThat(results).hasSize(1);
    return results.get(0);
  }
}
