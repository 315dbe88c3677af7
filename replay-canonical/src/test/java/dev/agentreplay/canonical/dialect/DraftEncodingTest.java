package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.canonical.dialect.LineEncoder.EncodedLine;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.TestCounts;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Members that the encoder leaves out, adds and checks in the dialect of specification 002. */
class DraftEncodingTest {

  private static final JsonObject PARAMS = JsonObject.of("path", "src/auth.rs");
  private static final Content OUTPUT = Content.of(JsonString.of("fn main() {}"));

  private final LineEncoder encoder = LineEncoder.of(Dialect.DRAFT);

  static List<Arguments> withoutTimeAndHash() {
    return List.of(
        Arguments.of(
            ToolCall.of("c", "t", PARAMS),
            "{\"id\":\"c\",\"params\":{\"path\":\"src/auth.rs\"},\"tool\":\"t\","
                + "\"type\":\"ToolCall\"}",
            Lines.PARAMS_HASH),
        Arguments.of(
            ToolResult.of("c", "fn main() {}"),
            "{\"id\":\"c\",\"output\":\"fn main() {}\",\"type\":\"ToolResult\"}",
            Lines.OUTPUT_HASH),
        Arguments.of(
            ToolResult.of("c", null),
            "{\"id\":\"c\",\"output\":null,\"type\":\"ToolResult\"}",
            Lines.NULL_HASH),
        Arguments.of(
            new RuntimeEvent(null, null, OUTPUT, null, Meta.NONE),
            "{\"payload\":\"fn main() {}\",\"type\":\"RuntimeEvent\"}",
            Lines.OUTPUT_HASH),
        Arguments.of(
            ModelCall.of("m", "x", new Prompt(PARAMS)),
            "{\"id\":\"m\",\"model\":\"x\",\"prompt\":{\"path\":\"src/auth.rs\"},"
                + "\"type\":\"ModelCall\"}",
            Lines.PARAMS_HASH),
        Arguments.of(
            ModelResult.of("m", "fn main() {}"),
            "{\"answer\":\"fn main() {}\",\"id\":\"m\",\"type\":\"ModelResult\"}",
            Lines.OUTPUT_HASH));
  }

  @ParameterizedTest
  @MethodSource("withoutTimeAndHash")
  void neither_time_nor_hash_is_filled_in_but_the_hash_is_returned(
      ReplayEvent event, String line, String hash) {
    EncodedLine encoded = encoder.encode(event, Lines.NOW);

    assertThat(Lines.written(encoder)).isEqualTo(line);
    assertThat(encoded.time()).isNull();
    assertThat(encoded.contentHash()).hasToString(hash);
    assertThat(encoded.length()).isEqualTo(line.length() + 1);
  }

  static Stream<Arguments> withTimeAndHash() {
    return Stream.of(
        Arguments.of(call(Lines.PARAMS_HASH), "params_hash", Lines.PARAMS_HASH),
        Arguments.of(result(Lines.OUTPUT_HASH), "output_hash", Lines.OUTPUT_HASH),
        Arguments.of(runtime(Lines.OUTPUT_HASH), "payload_hash", Lines.OUTPUT_HASH));
  }

  @ParameterizedTest
  @MethodSource("withTimeAndHash")
  void time_and_hash_that_are_given_are_written(ReplayEvent event, String name, String hash) {
    EncodedLine encoded = encoder.encode(event, Lines.NOW);

    JsonObject line = Lines.object(Lines.written(encoder));
    assertThat(line.at("/ts").asString()).isEqualTo(Lines.TIME.text());
    assertThat(line.at("/" + name).asString()).isEqualTo(hash);
    assertThat(encoded.time()).isEqualTo(Lines.TIME);
    assertThat(encoded.contentHash()).hasToString(hash);
  }

  static Stream<Arguments> withWrongHash() {
    return Stream.of(
        Arguments.of(call(Lines.OTHER_HASH), "params_hash"),
        Arguments.of(result(Lines.OTHER_HASH), "output_hash"),
        Arguments.of(runtime(Lines.OTHER_HASH), "payload_hash"));
  }

  @ParameterizedTest
  @MethodSource("withWrongHash")
  void hash_that_is_not_that_of_the_value_is_refused(ReplayEvent event, String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.encode(event, Lines.NOW))
        .withMessageContaining("has the " + name + " " + Lines.OTHER_HASH);
  }

  private static ToolCall call(String hash) {
    return new ToolCall(
        "c", "t", new Content(PARAMS, Lines.hash(hash), null, null), null, Attempt.NONE, Lines.AT);
  }

  private static ToolResult result(String hash) {
    return new ToolResult(
        "c", withHash(hash), Outcome.NONE, null, Timing.NONE, List.of(), Lines.AT);
  }

  private static RuntimeEvent runtime(String hash) {
    return new RuntimeEvent(null, null, withHash(hash), null, Lines.AT);
  }

  private static Content withHash(String hash) {
    ContentHash stated = Lines.hash(hash);
    return new Content(OUTPUT.value(), stated, null, null);
  }

  @Test
  void beginning_and_end_are_filled_in() {
    ReplayHeader header =
        ReplayHeader.of("p").withVersion("1.0.0").withMeta(Meta.NONE.withSessionId("s"));

    assertThat(encoder.encode(header, Lines.NOW).time()).isEqualTo(Lines.NOW);
    assertThat(Lines.written(encoder))
        .isEqualTo("{\"producer\":\"p\",\"session_id\":\"s\","
            + "\"started_at\":\"2030-06-01T12:00:00Z\",\"type\":\"ReplayHeader\","
            + "\"version\":\"1.0.0\"}");
    assertThat(encoder.encode(SessionEnd.of(Status.FAILED), Lines.NOW).time()).isEqualTo(Lines.NOW);
    assertThat(Lines.written(encoder))
        .isEqualTo("{\"ended_at\":\"2030-06-01T12:00:00Z\",\"outcome\":\"failure\","
            + "\"type\":\"SessionEnd\"}");
    assertThat(encoder.encode(new UnknownEvent("x", Meta.NONE), Lines.NOW).time())
        .isNull();
    assertThat(Lines.written(encoder)).isEqualTo("{\"type\":\"x\"}");
  }

  @ParameterizedTest
  @CsvSource({"success, success", "Failed, failure", "Timeout, timeout"})
  void outcome_is_spelled_in_lower_case(String status, String outcome) {
    JsonObject line =
        Lines.object(Lines.encode(Dialect.DRAFT, SessionEnd.of(Status.parse(status))));

    assertThat(line.at("/outcome").asString()).isEqualTo(outcome);
    assertThat(line.has("status")).isFalse();
    assertThat(line.has("confidence")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "3, 0, 3", "-2, 2, 0"})
  void tests_that_are_not_stated_are_as_many_as_their_difference(
      long delta, long before, long after) {
    JsonObject line = Lines.object(Lines.encode(Dialect.DRAFT, Verification.of().withDelta(delta)));

    assertThat(line.at("/tests_before").asLong()).isEqualTo(before);
    assertThat(line.at("/tests_after").asLong()).isEqualTo(after);
    assertThat(line.at("/delta").asLong()).isEqualTo(delta);
  }

  @Test
  void difference_that_is_not_stated_is_that_of_the_tests() {
    Verification verification = Verification.of().withTests(new TestCounts(5, 3));

    assertThat(
            Lines.object(Lines.encode(Dialect.DRAFT, verification)).at("/delta").asLong())
        .isEqualTo(-2);
  }

  @Test
  void task_that_is_not_stated_is_empty() {
    assertThat(Lines.encode(Dialect.DRAFT, SessionStart.of("s")))
        .isEqualTo("{\"session_id\":\"s\",\"task\":\"\",\"type\":\"SessionStart\"}");
  }

  static Stream<Arguments> refused() {
    ContentHash hash = Lines.hash(Lines.OTHER_HASH);
    return Stream.of(
        Arguments.of(
            ReplayHeader.of("p").withVersion("1.0.0"),
            "ReplayHeader needs session_id in the dialect draft"),
        Arguments.of(
            new ToolCall("c", "t", Content.ofHash(hash), null, Attempt.NONE, Meta.NONE),
            "ToolCall needs params in the dialect draft"),
        Arguments.of(
            ToolResult.of("c", 1).withOutput(Content.ofHash(hash)),
            "ToolResult needs output in the dialect draft"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void what_the_draft_demands_and_the_event_lacks_is_refused(ReplayEvent event, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.encode(event, Lines.NOW))
        .withMessage(message);
  }
}
