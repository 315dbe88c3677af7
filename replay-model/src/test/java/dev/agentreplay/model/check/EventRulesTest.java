package dev.agentreplay.model.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventRulesTest {

  private static final ContentHash HASH = ContentHash.sha256(new byte[0]);

  static List<Arguments> outside() {
    return List.of(
        Arguments.of(utility(1.0000000000000002), "step_utility must be between -1.0 and 1.0"),
        Arguments.of(utility(-1.0000000000000002), "step_utility must be between -1.0 and 1.0"),
        Arguments.of(utility(Double.NaN), "step_utility must be between -1.0 and 1.0: NaN"),
        Arguments.of(utility(Double.POSITIVE_INFINITY), "step_utility must be between"),
        Arguments.of(
            ToolCall.of("c", "t", JsonObject.EMPTY).withAttempt(new Attempt(0L, "e")),
            "attempt must be at least 1: 0"),
        Arguments.of(replay("", 1), "replay_of.mode must not be blank: \"\""),
        Arguments.of(replay("\t ", 1), "replay_of.mode must not be blank: \""),
        Arguments.of(replay("mock", 0), "replay_of.tree_size must be at least 1: 0"),
        Arguments.of(replay("mock", -1), "replay_of.tree_size must be at least 1: -1"),
        Arguments.of(effect(""), "effect_id must not be blank: \"\""),
        Arguments.of(effect("\t "), "effect_id must not be blank: \""),
        Arguments.of(streamed("ab", -1, 2), "chunks[0] must not arrive before 0 ms: -1"),
        Arguments.of(streamed("ab", 5, 1, 4, 1), "chunks[1] must not arrive before 5 ms: 4"),
        Arguments.of(streamed("ab", 5, 2, 6, 0), "chunks[1] must have at least 1 code point: 0"),
        Arguments.of(streamed("ab", 5, -2), "chunks[0] must have at least 1 code point: -2"),
        Arguments.of(streamed("ab", 5, 1), "chunks must add up to the 2 code points of answer: 1"),
        Arguments.of(
            ToolResult.of("c", "\ud83d\ude00").withTiming(timing(0, 2)),
            "chunks must add up to the 1 code points of output: 2"),
        Arguments.of(
            ModelResult.of("m", JsonObject.of("id", "r", "text", "ab"))
                .withTiming(Timing.NONE.withChunks(timing(5, 2).chunks().withPlace("/id"))),
            "chunks_text must refer to a text of 2 code points in answer: /id"),
        Arguments.of(latency(-1), "latency_ms must not be negative: -1"),
        Arguments.of(confidence(1.0000000000000002), "confidence must be between 0.0 and 1.0"),
        Arguments.of(confidence(-Double.MIN_VALUE), "confidence must be between 0.0 and 1.0"),
        Arguments.of(confidence(Double.NaN), "confidence must be between 0.0 and 1.0: NaN"),
        Arguments.of(totals(-1, 0), "total_tool_calls must not be negative: -1"),
        Arguments.of(totals(0, -1), "total_latency_ms must not be negative: -1"),
        Arguments.of(PlanStart.of(HASH, -1), "step_count must not be negative: -1"),
        Arguments.of(iterations(-1), "iterations must not be negative: -1"),
        Arguments.of(iterations(256), "iterations must be at most 255: 256"),
        Arguments.of(duration(-1), "duration_ms must not be negative: -1"),
        Arguments.of(amount(-1), "amount_msats must not be negative: -1"),
        Arguments.of(
            ToolResult.of("c", null).withOutput(kept(-1)), "output_ref.bytes must not be negative"),
        Arguments.of(payload(-1), "payload_ref.bytes must not be negative: -1"),
        Arguments.of(RecordingGap.of(0), "unrecorded_events must be at least 1: 0"),
        Arguments.of(LogSegment.of(1, 0, 0, HASH), "segment must be at least 2: 1"),
        Arguments.of(LogSegment.of(2, -1, 0, HASH), "lines_before must not be negative: -1"),
        Arguments.of(LogSegment.of(2, 0, -1, HASH), "bytes_before must not be negative: -1"));
  }

  private static ReplayHeader replay(String mode, long lines) {
    return ReplayHeader.of("p")
        .withReplayOf(new ReplayOrigin("s", new TreeHead(lines, HASH), mode));
  }

  @ParameterizedTest
  @MethodSource("outside")
  void value_outside_its_range_is_found(ReplayEvent event, String message) {
    List<Finding> findings = EventRules.check(event);

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).code()).isEqualTo(FindingCode.VALUE_OUT_OF_RANGE);
    assertThat(findings.get(0).position()).isNull();
    assertThat(findings.get(0).message()).startsWith(message);
  }

  static List<ReplayEvent> inside() {
    return List.of(
        ReplayHeader.of("p"),
        replay("mock", 1),
        utility(1),
        utility(-1),
        utility(-0.0),
        ToolCall.of("c", "t", JsonObject.EMPTY).withAttempt(Attempt.first("e")),
        streamed("ab", 0, 2),
        streamed("a\ud83d\ude00", 3, 1, 3, 1),
        streamed(JsonObject.of("text", "abc"), 3, 7),
        streamed(null, 3, 7),
        latency(0),
        latency(Long.MAX_VALUE),
        confidence(0),
        confidence(-0.0),
        confidence(1),
        totals(0, 0),
        PlanStart.of(HASH, 0),
        iterations(0),
        iterations(255),
        duration(0),
        amount(0),
        payload(0),
        RecordingGap.of(1),
        LogSegment.of(2, 0, 0, HASH));
  }

  @ParameterizedTest
  @MethodSource("inside")
  void value_at_the_edge_of_its_range_is_allowed(ReplayEvent event) {
    assertThat(EventRules.check(event)).isEmpty();
  }

  @Test
  void pieces_of_a_text_in_a_blob_add_up_to_its_length() {
    ModelResult result = streamed("ab", 5, 1, 6, 1).withAnswer(Content.NONE);
    assertThat(EventRules.check(result)).isEmpty();
    assertThat(EventRules.checkTextLength(result, 2)).isEmpty();
    assertThat(EventRules.checkTextLength(result, 3))
        .extracting(Finding::code, Finding::message)
        .containsExactly(tuple(
            FindingCode.VALUE_OUT_OF_RANGE,
            "chunks must add up to the 3 code points of answer: 2"));
    ToolResult tool = ToolResult.of("c", null).withTiming(timing(0, 2));
    assertThat(EventRules.checkTextLength(tool, 1)).hasSize(1);
    assertThat(EventRules.checkTextLength(tool.withTiming(Timing.NONE), 1)).isEmpty();
    assertThat(EventRules.checkTextLength(PlanStart.of(HASH, 1), 1)).isEmpty();
  }

  @Test
  void pieces_out_of_range_are_not_compared_with_the_length_of_the_text_too() {
    ModelResult result = streamed("ab", 5, 0).withAnswer(Content.NONE);
    assertThat(EventRules.check(result)).hasSize(1);
    assertThat(EventRules.checkTextLength(result, 2)).isEmpty();
  }

  @Test
  void missing_values_are_not_checked() {
    List<ReplayEvent> events = List.of(
        ReplayHeader.of("test"),
        SessionStart.of("s"),
        new PlanStart(null, null, Meta.NONE),
        ToolCall.of("c", "t", JsonObject.EMPTY),
        ToolResult.of("c", null),
        new StepComplete("s", null, null, Meta.NONE),
        Verification.of(new CommandRun("true", null, null, null)),
        new Payment(null, null, null, null, null, null, Meta.NONE),
        new RuntimeEvent(null, null, Content.NONE, null, Meta.NONE),
        SessionEnd.of(Status.SUCCESS),
        new UnknownEvent("x", Meta.NONE));

    assertThat(events).allSatisfy(event -> assertThat(EventRules.check(event)).isEmpty());
  }

  @Test
  void every_broken_rule_is_found() {
    assertThat(EventRules.check(confidence(2).withTotals(-1, -2))).hasSize(3);
    assertThat(EventRules.check(Verification.of(run(-1L), run(5L), run(null), run(-2L))))
        .hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 255, Integer.MAX_VALUE})
  void exit_codes_have_no_range(int exitCode) {
    assertThat(EventRules.check(Verification.of(CommandRun.of("x", exitCode)))).isEmpty();
    assertThat(EventRules.check(latency(1).withOutcome(Outcome.exit(exitCode)))).isEmpty();
  }

  private static ModelResult streamed(@Nullable Object answer, int... pieces) {
    return ModelResult.of("m", answer).withTiming(timing(pieces));
  }

  private static Timing timing(int... pieces) {
    Chunks.Builder chunks = Chunks.builder();
    for (int i = 0; i < pieces.length; i += 2) {
      chunks.add(pieces[i], pieces[i + 1]);
    }
    return Timing.NONE.withChunks(chunks.build());
  }

  private static ToolCall effect(String id) {
    return ToolCall.of("c", "t", JsonObject.EMPTY).withAttempt(Attempt.first(id));
  }

  private static ToolResult utility(double utility) {
    return ToolResult.of("c", "x").withStepUtility(utility);
  }

  private static ToolResult latency(long millis) {
    return ToolResult.of("c", "x").withLatencyMillis(millis);
  }

  private static SessionEnd confidence(double confidence) {
    return SessionEnd.of(Status.SUCCESS).withConfidence(confidence);
  }

  private static SessionEnd totals(long calls, long latency) {
    return SessionEnd.of(Status.SUCCESS).withTotals(calls, latency);
  }

  private static StepComplete iterations(long iterations) {
    return StepComplete.of("s", Status.SUCCESS, iterations);
  }

  private static Verification duration(long millis) {
    return Verification.of(run(millis));
  }

  private static CommandRun run(Long millis) {
    return new CommandRun("true", 0, null, millis);
  }

  private static RuntimeEvent payload(long bytes) {
    return new RuntimeEvent(null, null, kept(bytes), null, Meta.NONE);
  }

  private static Content kept(long bytes) {
    return new Content(null, HASH, BlobRef.of(HASH, bytes), null);
  }

  private static Payment amount(long msats) {
    return new Payment(null, null, msats, null, null, null, Meta.NONE);
  }
}
