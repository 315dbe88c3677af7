package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Results that are streamed, and recorded with the pieces in which they arrive. */
@ExtendWith(QuietLogger.class)
class StreamRecordingTest {

  private static final Path DIRECTORY = Path.of("simulated").toAbsolutePath();
  private static final Path LOG = DIRECTORY.resolve(Session.LOG_NAME);
  private static final Timing PART =
      Timing.NONE.withChunks(Chunks.builder().add(3, 4).build());
  private static final Chunks CHUNKS = Chunks.builder().add(230, 4).add(241, 7).build();

  private final AtomicLong clock = new AtomicLong();
  private SimulatedDisk disk = new SimulatedDisk(DIRECTORY);

  @TempDir
  private Path files;

  @Test
  void streamed_answer_is_recorded_with_its_pieces() throws IOException {
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      PendingModelCall asked = stream(recorder.modelCall("m", "Which file?"));
      after(19);
      asked.answer(Completion.of("stop"), TokenCounts.of(3, 4));
    }
    ModelResult result = events(ModelResult.class).get(0);
    assertThat(result.answer().value()).isEqualTo(JsonValue.of("src/auth.rs"));
    assertThat(result.timing().chunks()).isEqualTo(CHUNKS);
    assertThat(result.timing().chunks().timeToFirstMillis()).isEqualTo(230);
    assertThat(result.latencyMillis()).isEqualTo(260);
    assertThat(result.finish()).isEqualTo(Completion.of("stop"));
    assertThat(result.tokens()).isEqualTo(TokenCounts.of(3, 4));
  }

  @Test
  void structured_answer_keeps_the_pieces_of_its_text() throws IOException {
    JsonObject message = JsonObject.of("role", "assistant", "content", "src/auth.rs");
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      stream(recorder.modelCall("m", "Which file?")).answer(message);
      stream(recorder.modelCall("m", "Which file?")).answer();
      recorder.modelCall("m", "Which file?").answer();
    }
    List<ModelResult> results = events(ModelResult.class);
    assertThat(results.get(0).answer().value()).isEqualTo(message);
    assertThat(results.subList(0, 2)).extracting(r -> r.timing().chunks()).containsOnly(CHUNKS);
    assertThat(results.get(2).answer().value()).isEqualTo(JsonValue.of(""));
    assertThat(results.get(2).timing().chunks()).isEqualTo(Chunks.NONE);
  }

  @Test
  void text_of_another_length_than_the_streamed_one_is_refused() throws IOException {
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      PendingModelCall asked = stream(recorder.modelCall("m", "Which file?"));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> asked.answer("src/auth"))
          .withMessage("ModelResult: chunks must add up to the 8 code points of answer: 11");
      asked.answer();
      asked.chunk("late");
    }
    assertThat(events(ModelResult.class)).hasSize(1);
  }

  @Test
  void large_answer_is_compared_with_its_pieces_before_it_is_stored_in_a_blob() throws IOException {
    Path directory = files.resolve("s");
    try (SessionRecorder recorder = SessionRecorder.start(
        directory, SessionStart.of("s"), RecorderOptions.defaults().withBlobThreshold(5))) {
      PendingModelCall asked = stream(recorder.modelCall("m", "?"));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> asked.answer("another text"))
          .withMessageContaining("chunks must add up to");
      asked.answer();
      stream(recorder.call("t", "a")).result();
    }
    assertThat(directory.resolve("blobs").toFile().list()).hasSize(2); // prompt, one text
    assertThat(pieces(Session.open(directory))).containsExactly(2);
  }

  @Test
  void interrupted_stream_has_the_text_so_far_and_the_reason() throws IOException {
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      stream(recorder.modelCall("m", "Which file?")).failed(new IOException("reset"));
      stream(recorder.modelCall("m", "Which file?")).timedOut("after 30 s");
      stream(recorder.modelCall("m", "Which file?")).cancelled("by the user");
      recorder.modelCall("m", "Which file?").failed(new IOException("refused"));
    }
    List<ModelResult> results = events(ModelResult.class);
    assertThat(results.subList(0, 3)).allSatisfy(result -> {
      assertThat(result.answer().value()).isEqualTo(JsonValue.of("src/auth.rs"));
      assertThat(result.timing().chunks()).isEqualTo(CHUNKS);
      assertThat(result.finish().partial()).isTrue();
    });
    assertThat(results)
        .extracting(result -> result.finish().error())
        .containsExactly(
            Failure.of("java.io.IOException", "reset"),
            Failure.of("Timeout", "after 30 s"),
            Failure.of("Cancelled", "by the user"),
            Failure.of("java.io.IOException", "refused"));
    assertThat(results.get(3).answer().value()).isEqualTo(JsonNull.NULL);
  }

  @Test
  void text_of_another_length_is_recorded_without_its_pieces_if_the_policy_degrades()
      throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withFailurePolicy(FailurePolicy.DEGRADE);
    try (SessionRecorder recorder = start(options)) {
      stream(recorder.modelCall("m", "Which file?")).answer("src/auth");
      stream(recorder.call("shell", "ls")).result("src/auth");
      assertThat(recorder.unrecordedEvents()).as("%s", recorder.lastFailure()).isZero();
    }
    ModelResult answer = events(ModelResult.class).get(0);
    assertThat(answer.answer().value()).isEqualTo(JsonValue.of("src/auth"));
    assertThat(answer.timing().chunks()).isEqualTo(Chunks.NONE);
    assertThat(answer.meta().extra().get("chunks_unrecorded").asString())
        .contains("chunks must add up");
    assertThat(events(ToolResult.class).get(0).output().value())
        .isEqualTo(JsonValue.of("src/auth"));
  }

  @Test
  void streamed_output_of_a_tool_is_recorded_likewise() throws IOException {
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      stream(recorder.call("shell", "ls")).streamed(Outcome.exit(2));
      stream(recorder.call("shell", "ls")).result();
      stream(recorder.call("shell", "ls")).result(JsonObject.of("stdout", "src/auth.rs"));
      stream(recorder.call("shell", "ls")).failed(new IOException("reset"));
      stream(recorder.call("shell", "ls")).cancelled("by the user");
      recorder.call("shell", "ls").cancelled("by the user");
      PendingCall refused = stream(recorder.call("shell", "ls"));
      refused.result();
      refused.chunk("late");
    }
    List<ToolResult> results = events(ToolResult.class);
    JsonValue text = JsonValue.of("src/auth.rs");
    assertThat(results)
        .extracting(result -> result.output().value())
        .containsExactly(
            text,
            text,
            JsonObject.of("stdout", text),
            text,
            text,
            JsonValue.of("by the user"),
            text);
    assertThat(results)
        .extracting(result -> result.timing().chunks().size())
        .containsExactly(2, 2, 2, 2, 2, 0, 2);
    assertThat(results)
        .extracting(ToolResult::outcome)
        .startsWith(Outcome.exit(2), Outcome.NONE, Outcome.NONE)
        .contains(Outcome.failed("java.io.IOException", "reset"), Outcome.cancelled("by the user"));
  }

  @Test
  void half_of_a_character_at_the_end_is_marked_in_the_event() throws IOException {
    try (SessionRecorder recorder = start(RecorderOptions.defaults())) {
      PendingModelCall asked = recorder.modelCall("m", "?");
      asked.chunk("ok \ud83d");
      asked.answer();
    }
    ModelResult result = events(ModelResult.class).get(0);
    assertThat(result.answer().value()).isEqualTo(JsonValue.of("ok \ufffd"));
    assertThat(result.timing().chunks().totalLength()).isEqualTo(4);
    assertThat(result.meta().extra().names()).containsExactly("utf16");
  }

  @Test
  void answer_that_is_lost_in_the_middle_of_its_stream_leaves_a_gap() throws IOException {
    try (SessionRecorder recorder =
        start(RecorderOptions.defaults().withFailurePolicy(FailurePolicy.DEGRADE))) {
      PendingModelCall asked = recorder.modelCall("m", "?");
      asked.chunk("src/");
      disk.limit(disk.content(LOG).length + 5L);
      recorder.emit(StepComplete.of("lost", Status.SUCCESS, 1));
      disk.limit(Long.MAX_VALUE);
      asked.chunk("auth.rs");
      asked.answer();
      PendingModelCall lost = recorder.modelCall("m", "?");
      lost.chunk("src/");
      disk.limit(disk.content(LOG).length + 5L);
      assertThat(lost.answer().isWritten()).isFalse();
      disk.limit(Long.MAX_VALUE);
      recorder.end(Status.SUCCESS, 1);
    }
    assertThat(kinds())
        .containsExactly(
            EventKind.REPLAY_HEADER,
            EventKind.SESSION_START,
            EventKind.MODEL_CALL,
            EventKind.RECORDING_GAP,
            EventKind.MODEL_RESULT,
            EventKind.MODEL_CALL,
            EventKind.RECORDING_GAP,
            EventKind.SESSION_END);
    assertThat(events(ModelResult.class).get(0).answer().value())
        .isEqualTo(JsonValue.of("src/auth.rs"));
  }

  @Test
  void answer_that_a_crash_interrupts_is_open_and_may_be_given_after_it() throws IOException {
    SessionRecorder crashed = start(RecorderOptions.defaults());
    PendingModelCall asked = crashed.modelCall("m", "?");
    asked.chunk("src/");
    disk = disk.kill();

    assertThat(kinds()).last().isEqualTo(EventKind.MODEL_CALL);
    try (SessionRecorder recorder =
        SessionRecorder.resume(disk, DIRECTORY, RecorderOptions.defaults())) {
      recorder.emit(ModelResult.of(asked.id(), "src/")
          .withFinish(Completion.failed("Crash", "the process died"))
          .withTiming(PART));
      recorder.end(Status.FAILED, 0);
    }
    assertThat(events(ModelResult.class).get(0).timing()).isEqualTo(PART);
  }

  @Test
  void pieces_are_read_back_from_segments_and_compressed_logs() throws IOException {
    RecorderOptions options =
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withMaxSegmentBytes(600));
    Path directory = files.resolve("s");
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      for (int i = 0; i < 5; i++) {
        PendingModelCall asked = recorder.modelCall("m", "?");
        for (int k = 0; k <= i; k++) {
          asked.chunk("piece " + k);
        }
        asked.answer();
      }
      recorder.end(Status.SUCCESS, 1);
    }
    Session session = Session.open(directory);
    assertThat(session.segments()).hasSizeGreaterThan(2);
    assertThat(pieces(session)).containsExactly(1, 2, 3, 4, 5);

    Path packed = Files.createDirectory(files.resolve("packed"));
    StringBuilder joined = new StringBuilder();
    for (Path segment : session.segments()) {
      joined.append(Files.readString(segment));
    }
    Files.write(
        packed.resolve("REPLAY.jsonl.gz"),
        TestFiles.gzip(joined.toString().getBytes(StandardCharsets.UTF_8)));
    assertThat(pieces(Session.open(packed))).containsExactly(1, 2, 3, 4, 5);
  }

  private static List<Integer> pieces(Session session) throws IOException {
    List<Integer> pieces = new ArrayList<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        assertThat(line.findings()).isEmpty();
        if (line.event() instanceof ModelResult result) {
          pieces.add(result.timing().chunks().size());
        }
      }
    }
    return pieces;
  }

  private PendingModelCall stream(PendingModelCall asked) {
    after(230);
    asked.chunk("src/");
    after(11);
    asked.chunk("auth.rs");
    return asked;
  }

  private PendingCall stream(PendingCall call) {
    after(230);
    call.chunk("src/");
    after(11);
    call.chunk("auth.rs");
    return call;
  }

  private void after(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private SessionRecorder start(RecorderOptions options) throws IOException {
    return new RecordingStart(disk, DIRECTORY, options).start(SessionStart.of("s"), clock::get);
  }

  private List<EventKind> kinds() throws IOException {
    return events(ReplayEvent.class).stream().map(ReplayEvent::kind).toList();
  }

  private <E extends ReplayEvent> List<E> events(Class<E> type) throws IOException {
    List<E> events = new ArrayList<>();
    LogRecovery.of(disk, LOG).inspect(line -> {
      if (type.isInstance(line.event())) {
        events.add(type.cast(line.event()));
      }
    });
    return events;
  }
}
