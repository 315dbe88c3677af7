package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.dialect.LineEncoder.EncodedLine;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Members that the encoder adds, checks and refuses. */
class LineEncoderTest {

  private static final JsonObject PARAMS = JsonObject.of("path", "src/auth.rs");

  @Test
  void time_and_hash_are_filled_in_and_returned() {
    LineEncoder encoder = LineEncoder.of(Dialect.EVENT);
    ToolCall call = ToolCall.of("tc", "file_read", PARAMS);

    EncodedLine encoded = encoder.encode(call, Lines.NOW);

    String line = "{\"event\":\"ToolCall\",\"id\":\"tc\",\"params\":{\"path\":\"src/auth.rs\"},"
        + "\"params_hash\":\"" + Lines.PARAMS_HASH + "\",\"step_id\":\"tc\","
        + "\"t\":\"2030-06-01T12:00:00Z\",\"tool\":\"file_read\"}";
    assertThat(Lines.written(encoder)).isEqualTo(line);
    assertThat(encoded.time()).isEqualTo(Lines.NOW);
    assertThat(encoded.contentHash()).isEqualTo(Lines.hash(Lines.PARAMS_HASH));
    assertThat(encoded.length()).isEqualTo(line.length() + 1);
  }

  @Test
  void time_that_is_given_is_kept() {
    LineEncoder encoder = LineEncoder.of(Dialect.TYPE);

    EncodedLine encoded = encoder.encode(new UnknownEvent("x", Meta.at(Lines.TIME)), Lines.NOW);

    assertThat(encoded.time()).isEqualTo(Lines.TIME);
    assertThat(encoded.contentHash()).isNull();
    assertThat(Lines.written(encoder))
        .isEqualTo("{\"ts\":\"2026-01-13T10:00:00Z\",\"type\":\"x\"}");
  }

  @Test
  void content_hash_is_that_of_the_output_or_payload_or_as_given() {
    LineEncoder encoder = LineEncoder.of(Dialect.EVENT);
    ContentHash given = Lines.hash(Lines.OTHER_HASH);
    ToolResult result = ToolResult.of("c", "fn main() {}").withLatencyMillis(1L);
    RuntimeEvent event = new RuntimeEvent(1L, "x", Content.of(PARAMS), null, Meta.NONE);
    ToolCall published =
        new ToolCall("c", "t", Content.ofHash(given), "s", Attempt.NONE, Meta.NONE);

    assertThat(encoder.encode(result, Lines.NOW).contentHash()).hasToString(Lines.OUTPUT_HASH);
    assertThat(encoder.encode(event, Lines.NOW).contentHash()).hasToString(Lines.PARAMS_HASH);
    assertThat(encoder.encode(published, Lines.NOW).contentHash()).isEqualTo(given);
    assertThat(encoder.encode(ReplayHeader.of("x"), Lines.NOW).contentHash()).isNull();
  }

  @Test
  void what_event_lines_demand_and_the_event_leaves_out_has_defaults() {
    JsonObject result = encoded(Dialect.EVENT, ToolResult.of("c", null).withLatencyMillis(1L));
    JsonObject call = encoded(Dialect.EVENT, ToolCall.of("tc", "t", PARAMS));
    JsonObject start = encoded(Dialect.EVENT, SessionStart.of("s"));
    JsonObject checked = encoded(Dialect.EVENT, Verification.of(CommandRun.of("true", 0)));

    assertThat(result.at("/step_utility")).hasToString("0.0");
    assertThat(result.at("/exit_code").isNull()).isTrue();
    assertThat(result.at("/output_hash").asString()).isEqualTo(Lines.NULL_HASH);
    assertThat(call.at("/step_id").asString()).isEqualTo("tc");
    assertThat(start.at("/policy_version").asString()).isEqualTo("local-dev");
    assertThat(start.at("/issue_number").isNull()).isTrue();
    assertThat(start.has("policy_bundle_id")).isFalse();
    assertThat(checked.at("/verification_delta")).hasToString("0");
  }

  @Test
  void what_type_lines_demand_and_the_event_leaves_out_has_defaults() {
    ToolResult result = ToolResult.of("c", null).withLatencyMillis(1L);

    assertThat(encoded(Dialect.TYPE, result).at("/ok").asBoolean()).isTrue();
    assertThat(encoded(Dialect.TYPE, result).at("/side_effects")).hasToString("[]");
    assertThat(encoded(Dialect.TYPE, result).has("step_utility")).isFalse();
    assertThat(encoded(Dialect.TYPE, result).has("exit_code")).isFalse();
    assertThat(encoded(Dialect.TYPE, result.withOutcome(Outcome.of(null, 3, null)))
            .at("/ok")
            .asBoolean())
        .isFalse();
    assertThat(encoded(Dialect.TYPE, result.withOutcome(Outcome.failed("IO", "no")))
            .at("/error/name")
            .asString())
        .isEqualTo("IO");
    assertThat(
            encoded(Dialect.TYPE, SessionStart.of("s")).at("/policy_bundle_id").asString())
        .isEqualTo("local-dev");
  }

  @ParameterizedTest
  @CsvSource({"Success, 1.0", "Failed, 0.0", "failure, 0.0", "Cancelled, 0.5", "Timeout, 0.5"})
  void confidence_that_is_left_out_is_that_of_the_status(String status, String confidence) {
    SessionEnd end = SessionEnd.of(Status.parse(status)).withTotals(0, 0);

    assertThat(encoded(Dialect.EVENT, end).at("/confidence")).hasToString(confidence);
    assertThat(encoded(Dialect.TYPE, end).at("/confidence")).hasToString(confidence);
  }

  @ParameterizedTest
  @CsvSource({
    "success, Success, success",
    "SUCCESS, Success, success",
    "failure, Failed, failure",
    "Failed, Failed, failure",
    "canceled, Cancelled, cancelled",
    "Cancelled, Cancelled, cancelled",
    "timeout, Timeout, timeout",
    "Skipped, Skipped, skipped",
    "max_iterations_reached, MaxIterationsReached, max_iterations_reached",
    "Completed?, Completed?, Completed?",
  })
  void status_is_spelled_as_the_dialect_does(String given, String inEvent, String inType) {
    Payment payment = new Payment(null, null, 0L, null, null, Status.parse(given), Meta.NONE);

    assertThat(encoded(Dialect.EVENT, payment).at("/status").asString()).isEqualTo(inEvent);
    assertThat(encoded(Dialect.TYPE, payment).at("/status").asString()).isEqualTo(inType);
  }

  static List<Arguments> refused() {
    ContentHash other = Lines.hash(Lines.OTHER_HASH);
    Meta extraTime = Meta.at(Lines.TIME).withExtra(JsonObject.of("t", "x"));
    return List.of(
        Arguments.of(
            new ToolCall(
                "c", "t", new Content(PARAMS, other, null, null), "s", Attempt.NONE, Meta.NONE),
            "ToolCall has the params_hash " + Lines.OTHER_HASH + ", but its value has "
                + Lines.PARAMS_HASH),
        Arguments.of(
            new ToolResult(
                "c",
                new Content(JsonNull.NULL, other, null, null),
                Outcome.OK,
                null,
                Timing.of(1L),
                List.of(),
                Meta.NONE),
            "ToolResult has the output_hash " + Lines.OTHER_HASH + ", but its value has "
                + Lines.NULL_HASH),
        Arguments.of(
            new RuntimeEvent(null, null, new Content(PARAMS, other, null, null), null, Meta.NONE),
            "RuntimeEvent has the payload_hash " + Lines.OTHER_HASH + ", but its value has "
                + Lines.PARAMS_HASH),
        Arguments.of(
            new ToolCall("c", "t", Content.NONE, "s", Attempt.NONE, Meta.NONE),
            "ToolCall needs a value, or its params_hash"),
        Arguments.of(
            new ToolResult(
                "c", Content.NONE, Outcome.OK, null, Timing.of(1L), List.of(), Meta.NONE),
            "ToolResult needs a value, or its output_hash"),
        Arguments.of(ToolResult.of("c", "x"), "ToolResult needs latency_ms in the dialect event"),
        Arguments.of(
            SessionEnd.of(Status.SUCCESS),
            "SessionEnd needs total_latency_ms in the dialect event"),
        Arguments.of(
            new SessionStart(null, null, null, null, Task.NONE, Labels.NONE, Meta.NONE),
            "SessionStart needs session_id in the dialect event"),
        Arguments.of(
            new PlanStart(null, 1L, Meta.NONE), "PlanStart needs plan_hash in the dialect event"),
        Arguments.of(
            new StepComplete("s", null, 1L, Meta.NONE),
            "StepComplete needs status in the dialect event"),
        Arguments.of(
            Verification.of(new CommandRun("true", null, null, null)),
            "exit code of \"true\" is missing"),
        Arguments.of(
            Verification.of(new CommandRun("a", 0, "dir", null), CommandRun.of("b", 0)),
            "directory and duration of several commands can only be written in the dialect type"),
        Arguments.of(
            new UnknownEvent("x", extraTime), "event has the member t twice: known and additional"),
        Arguments.of(
            new ToolCall("c", "t", Content.of(PARAMS), "s", Attempt.NONE, extraTime),
            "ToolCall has the member t twice: known and additional"),
        Arguments.of(
            new PlanStart(
                Lines.hash(Lines.OTHER_HASH), 1L, Meta.NONE.withExtra(JsonObject.of("agent", "x"))),
            "PlanStart has the member agent twice: known and additional"),
        Arguments.of(
            new PlanStart(
                Lines.hash(Lines.OTHER_HASH),
                1L,
                Meta.NONE.withExtra(JsonObject.of("parent", "x"))),
            "PlanStart has the member parent twice: known and additional"),
        Arguments.of(
            SessionEnd.of(Status.SUCCESS)
                .withTotals(0, 0)
                .withMeta(Meta.NONE.withExtra(JsonObject.of("event", "x"))),
            "SessionEnd has the member event twice: known and additional"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void what_cannot_be_written_is_refused(ReplayEvent event, String message) {
    LineEncoder encoder = LineEncoder.of(Dialect.EVENT);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.encode(event, Lines.NOW))
        .withMessageContaining(message);
  }

  @Test
  void several_commands_cannot_be_written_in_one_line_of_the_type_dialect() {
    Verification verification = Verification.of(CommandRun.of("a", 0), CommandRun.of("b", 0));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lines.encode(Dialect.TYPE, verification))
        .withMessage("the dialect type allows one command per Verification, found 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lines.encode(Dialect.TYPE, Verification.of()))
        .withMessageContaining("needs command");
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void encoder_is_used_again_after_a_refusal(Dialect dialect) {
    LineEncoder encoder = LineEncoder.of(dialect);
    ToolCall call = ToolCall.of("c", "t", PARAMS);
    String line = Lines.encode(dialect, call);
    encoder.encode(call, Lines.NOW);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.encode(
            new ToolCall(
                "c",
                "t",
                new Content(PARAMS, Lines.hash(Lines.OTHER_HASH), null, null),
                null,
                Attempt.NONE,
                Meta.NONE),
            Lines.NOW));
    EncodedLine again = encoder.encode(call, Lines.NOW);

    assertThat(Lines.written(encoder)).isEqualTo(line);
    assertThat(again.contentHash()).hasToString(Lines.PARAMS_HASH);
    assertThat(encoder.encode(new UnknownEvent("x", Meta.NONE), Lines.NOW).contentHash())
        .isNull();
  }

  @Test
  void more_members_than_can_be_read_back_are_refused() {
    JsonObject.Builder extra = JsonObject.builder();
    for (int i = 0; i < JsonLimits.defaults().maxMembers(); i++) {
      extra.add("m" + i, JsonNull.NULL);
    }
    Meta meta = Meta.NONE.withExtra(extra.build());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lines.encode(Dialect.EVENT, new UnknownEvent("X", meta)))
        .withMessageContaining("more than 1000000 members");
  }

  @Test
  void longest_line_has_16_mib_and_one_byte_more_is_refused() throws IOException {
    LineEncoder encoder = LineEncoder.of(Dialect.DRAFT);
    int around = encoder.encode(ToolResult.of("c", ""), Lines.NOW).length() - 1;
    String longest = "x".repeat((16 << 20) - around);

    assertThat(encoder.encode(ToolResult.of("c", longest), Lines.NOW).length())
        .isEqualTo((16 << 20) + 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.encode(ToolResult.of("c", longest + "x"), Lines.NOW))
        .withMessage(
            "ToolResult of call \"c\" is longer than 16 MiB (16777216 bytes), the maximum length of"
                + " a line");
  }

  @Test
  void policy_keeps_its_form_in_the_event_dialect() {
    SessionStart start = SessionStart.of("s");
    JsonObject version = encoded(Dialect.EVENT, start.withPolicy(PolicyId.version("v")));
    JsonObject bundle = encoded(Dialect.EVENT, start.withPolicy(PolicyId.bundle("b")));

    assertThat(version.at("/policy_version").asString()).isEqualTo("v");
    assertThat(version.has("policy_bundle_id")).isFalse();
    assertThat(bundle.at("/policy_bundle_id").asString()).isEqualTo("b");
    assertThat(bundle.has("policy_version")).isFalse();
  }

  @Test
  void null_is_refused() {
    LineEncoder encoder = LineEncoder.of(Dialect.EVENT);

    assertThatThrownBy(() -> encoder.encode(ReplayHeader.of("x"), null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> encoder.encode(null, Lines.NOW))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> LineEncoder.of(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void line_is_returned_in_one_call() throws IOException {
    LineEncoder encoder = LineEncoder.of(Dialect.EVENT);
    int length = encoder.encode(ToolCall.of("c", "t", PARAMS), Lines.NOW).length();
    int[] calls = {0, 0};

    encoder.writeTo(new OutputStream() {
      @Override
      public void write(int b) {
        throw new AssertionError("byte by byte");
      }

      @Override
      public void write(byte[] bytes, int from, int count) {
        calls[0]++;
        calls[1] += count;
      }
    });

    assertThat(calls).containsExactly(1, length);
  }

  private static JsonObject encoded(Dialect dialect, ReplayEvent event) {
    return Lines.object(Lines.encode(dialect, event));
  }
}
