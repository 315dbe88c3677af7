package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestData;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of the specifications. */
class SpecificationExamplesTest {

  /** Specification 000, "Example REPLAY.jsonl", unchanged. */
  private static final List<String> VERBATIM = TestData.lines("/specification-000.jsonl");

  /** The same, with hashes instead of the text that stands for them. */
  private static final String EVENT_EXAMPLE = String.join("\n", VERBATIM)
      .replace("sha256:abc123...", Lines.OTHER_HASH)
      .replace("sha256:def456...", Lines.PARAMS_HASH)
      .replace("sha256:ghi789...", Lines.OTHER_HASH);

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

  /** Specification 002, "REPLAY.jsonl v1 Specification", with a value for each that is left out. */
  private static final String DRAFT_EXAMPLE =
      """
      {"type":"ReplayHeader","version":"1.0.0","session_id":"s","policy_bundle_id":"p","started_at":"2026-01-13T00:00:00Z"}
      {"type":"SessionStart","task":"fix","context":{}}
      {"type":"ToolCall","id":"c","tool":"file_read","params":{}}
      {"type":"ToolResult","id":"c","output":"text","step_utility":0.5,"latency_ms":100}
      {"type":"Verification","tests_before":0,"tests_after":0,"delta":0}
      {"type":"SessionEnd","ended_at":"2026-01-13T00:01:00Z","outcome":"success"}
      """;

  static Stream<Arguments> lines() {
    return Stream.of(
            EVENT_EXAMPLE.lines().map(line -> Arguments.of(Dialect.EVENT, line)),
            TYPE_EXAMPLE.lines().map(line -> Arguments.of(Dialect.TYPE, line)),
            DRAFT_EXAMPLE.lines().map(line -> Arguments.of(Dialect.DRAFT, line)))
        .flatMap(lines -> lines);
  }

  @ParameterizedTest
  @MethodSource("lines")
  void example_is_read_without_findings_and_written_in_canonical_form(
      Dialect dialect, String line) {
    JsonObject object = Lines.object(line);

    assertThat(Dialect.detect(object)).isEqualTo(dialect);
    Decoded decoded = dialect.decode(object);

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event().kind()).isNotEqualTo(EventKind.UNKNOWN);
    assertThat(decoded.event().meta().extra()).isEqualTo(JsonObject.EMPTY);
    assertThat(Lines.encode(dialect, decoded.event())).isEqualTo(Lines.canonical(object));
  }

  @Test
  void texts_that_stand_for_hashes_are_the_only_findings_in_the_example() {
    List<List<String>> findings = VERBATIM.stream()
        .map(line -> Lines.texts(Lines.decode(Dialect.EVENT, line).findings()))
        .toList();

    assertThat(findings)
        .containsExactly(
            List.of(),
            List.of(),
            List.of(notAHash("plan_hash", "sha256:abc123...")),
            List.of(notAHash("params_hash", "sha256:def456...")),
            List.of(notAHash("output_hash", "sha256:ghi789...")),
            List.of(),
            List.of(),
            List.of());
  }

  private static String notAHash(String member, String text) {
    return "FIELD_INVALID " + member + " must be \"sha256:\" and 64 lower-case hexadecimal digits,"
        + " found string \"" + text + "\"";
  }

  @Test
  void three_lines_of_the_example_are_not_canonical() {
    List<Integer> numbers = IntStream.rangeClosed(1, VERBATIM.size())
        .filter(number -> !CanonicalJson.SERDE.isCanonical(
            VERBATIM.get(number - 1).getBytes(StandardCharsets.UTF_8)))
        .boxed()
        .toList();

    assertThat(numbers).containsExactly(1, 7, 8);
  }

  @Test
  void example_is_written_back_with_the_texts_that_stand_for_hashes() {
    for (String line : VERBATIM) {
      JsonObject object = Lines.object(line);

      assertThat(Lines.encode(Dialect.EVENT, Dialect.EVENT.decode(object).event()))
          .isEqualTo(Lines.canonical(object));
    }
  }
}
