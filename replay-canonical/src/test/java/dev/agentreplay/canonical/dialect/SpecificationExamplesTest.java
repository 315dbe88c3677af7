package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of the specifications, their hashes made whole, and lines of a later version. */
class SpecificationExamplesTest {

  /** Specification 000, "Example REPLAY.jsonl". */
  private static final String EVENT_EXAMPLE =
      """
      {"event":"ReplayHeader","created_at":"2026-01-13T10:00:00Z","producer":"adjutant@1.2.3","replay_version":1}
      {"event":"SessionStart","issue_number":42,"policy_version":"v1.2.3","session_id":"sess_abc123","t":"2026-01-13T10:00:00Z"}
      {"event":"PlanStart","plan_hash":"%1$s","step_count":3,"t":"2026-01-13T10:00:01Z"}
      {"event":"ToolCall","id":"tc_001","params":{"path":"src/auth.rs"},"params_hash":"%2$s","step_id":"step-1","t":"2026-01-13T10:00:02Z","tool":"file_read"}
      {"event":"ToolResult","exit_code":null,"id":"tc_001","latency_ms":45,"output_hash":"%1$s","step_utility":0.8,"t":"2026-01-13T10:00:02Z"}
      {"event":"StepComplete","iterations":1,"status":"Success","step_id":"step-1","t":"2026-01-13T10:00:03Z"}
      {"event":"Verification","commands":["cargo check","cargo test"],"exit_codes":[0,0],"t":"2026-01-13T10:05:30Z","verification_delta":3}
      {"event":"SessionEnd","confidence":0.92,"status":"Success","t":"2026-01-13T10:05:32Z","total_latency_ms":5320,"total_tool_calls":5}
      """
          .formatted(Lines.OTHER_HASH, Lines.PARAMS_HASH);

  /** Specification 001, the example of each event. */
  private static final String TYPE_EXAMPLE =
      """
      {"type":"ReplayHeader","replay_version":1,"producer":"openagents","created_at":"2026-02-15T00:00:00.000Z"}
      {"type":"SessionStart","ts":"2026-02-15T00:00:01.000Z","session_id":"s","policy_bundle_id":"p"}
      {"type":"ToolCall","ts":"2026-02-15T00:00:02.000Z","session_id":"s","step_id":"c","tool":"file_read","params":{"path":"src/auth.rs"},"params_hash":"%2$s"}
      {"type":"ToolResult","ts":"2026-02-15T00:00:03.000Z","session_id":"s","step_id":"c","ok":true,"output_hash":"%1$s","latency_ms":123,"side_effects":["fs_read"]}
      {"type":"Verification","ts":"2026-02-15T00:00:10.000Z","session_id":"s","command":"cd apps && composer lint","cwd":"apps","exit_code":0,"duration_ms":12345,"verification_delta":0}
      {"type":"SessionEnd","ts":"2026-02-15T00:01:00.000Z","session_id":"s","status":"success","confidence":0.0}
      """
          .formatted(Lines.OTHER_HASH, Lines.PARAMS_HASH);

  static Stream<String> lines() {
    return Stream.concat(EVENT_EXAMPLE.lines(), TYPE_EXAMPLE.lines());
  }

  @ParameterizedTest
  @MethodSource("lines")
  void example_is_read_without_findings_and_written_in_canonical_form(String line) {
    JsonObject object = Lines.object(line);
    Dialect dialect = Dialect.detect(object);

    Decoded decoded = dialect.decode(object);

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event().kind()).isNotEqualTo(EventKind.UNKNOWN);
    assertThat(decoded.event().meta().extra()).isEqualTo(JsonObject.EMPTY);
    assertThat(Lines.encode(dialect, decoded.event())).isEqualTo(Lines.canonical(object));
  }

  @Test
  void log_of_a_later_version_survives() {
    // an event that is not known, members that are not known, also in parts that are
    List<String> later = List.of(
        "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\","
            + "\"host\":{\"os\":\"linux\"},\"producer\":\"p\",\"replay_version\":1}",
        "{\"event\":\"Handoff\",\"from\":\"a\",\"t\":\"2026-01-13T10:00:00Z\",\"to\":[\"b\"]}",
        "{\"event\":\"ToolResult\",\"exit_code\":0,\"id\":\"c\",\"latency_ms\":1,"
            + "\"output_hash\":\"" + Lines.OTHER_HASH + "\","
            + "\"side_effects\":[{\"bytes\":3,\"type\":\"fs_write\"}],\"step_utility\":0.5,"
            + "\"t\":\"2026-01-13T10:00:00Z\",\"usage\":{\"tokens\":18446744073709551615}}");
    for (String line : later) {
      ReplayEvent event = Lines.decode(Dialect.EVENT, line).event();

      assertThat(Lines.encode(Dialect.EVENT, event)).isEqualTo(line);
    }
  }
}
