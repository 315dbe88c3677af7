package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The hash of a prompt that is written as a change of an earlier one is that of the full prompt.
 */
class PromptDeltasTest {

  private static final JsonObject PROMPT =
      JsonObject.of("messages", JsonArray.of("one", "two"), "system", "s");

  @TempDir
  private Path directory;

  private VerificationReport verify(String... lines) throws IOException {
    TestLog log = TestLog.small();
    for (String line : lines) {
      log = log.insert(log.size(), line);
    }
    return log.verify(directory, null);
  }

  private static String full(String id, JsonValue prompt) {
    return line(JsonObject.of("id", id, "prompt", prompt), CanonicalJson.SERDE.hash(prompt));
  }

  private static String delta(String id, String delta, JsonValue prompt) {
    JsonObject call = JsonObject.of("id", id, "prompt_delta", JsonText.parse(delta));
    return line(call, CanonicalJson.SERDE.hash(prompt));
  }

  private static String line(JsonObject call, ContentHash hash) {
    return CanonicalJson.SERDE.text(call.with("event", "ModelCall")
        .with("prompt_hash", hash.toString())
        .with("t", "2026-01-13T10:00:09Z"));
  }

  private static JsonObject longer(String... added) {
    List<JsonValue> messages = new ArrayList<>(PROMPT.get("messages").asArray().values());
    for (String message : added) {
      messages.add(JsonValue.of(message));
    }
    return PROMPT.with("messages", messages);
  }

  private static String growth(String base, int size, String added) {
    return "{\"base\":\"%s\",\"slices\":{\"/messages\":[{\"from\":0,\"to\":%d},{\"new\":[\"%s\"]}]}}"
        .formatted(base, size, added);
  }

  /** The findings other than those about missing results. */
  private static List<String> findings(VerificationReport report) {
    return report.findings().stream()
        .filter(finding -> !finding.code().name().equals("MODEL_CALL_WITHOUT_RESULT"))
        .map(finding -> finding.code() + " " + finding.id() + ": " + finding.message())
        .toList();
  }

  @Test
  void chain_of_changes_is_verified() throws IOException {
    VerificationReport report = verify(
        full("a", PROMPT),
        delta("b", growth("a", 2, "three"), longer("three")),
        delta("c", growth("b", 3, "four"), longer("three", "four")),
        delta("d", "{\"base\":\"a\",\"removed\":[\"/system\"]}", PROMPT.without("system")));
    assertThat(findings(report)).isEmpty();
    assertThat(report.count(Counter.PAYLOAD_HASHES_VERIFIED)).isEqualTo(5); // one is a payload
  }

  @Test
  void altered_message_is_found_once_where_it_is() throws IOException {
    VerificationReport report = verify(
        full("a", PROMPT),
        delta("b", growth("a", 2, "threE"), longer("three")),
        delta("c", growth("b", 3, "four"), longer("three", "four")),
        delta("d", growth("a", 2, "five"), longer("five")));
    assertThat(findings(report))
        .satisfiesExactly(
            mismatch ->
                assertThat(mismatch).startsWith("PAYLOAD_HASH_MISMATCH b: prompt_hash is sha256:"),
            follows -> assertThat(follows)
                .isEqualTo("HASH_UNVERIFIABLE c: the prompt is a change of one that differs from"
                    + " its hash"));
  }

  @Test
  void altered_full_prompt_makes_its_changes_unverifiable() throws IOException {
    VerificationReport report = verify(
        full("a", PROMPT).replace("two", "twO"),
        delta("b", growth("a", 2, "three"), longer("three")));
    assertThat(findings(report))
        .satisfiesExactly(
            mismatch -> assertThat(mismatch).startsWith("PAYLOAD_HASH_MISMATCH a: "),
            follows -> assertThat(follows).startsWith("HASH_UNVERIFIABLE b: "));
  }

  @Test
  void change_of_a_prompt_that_the_log_does_not_hold_is_unverifiable() throws IOException {
    VerificationReport report = verify(
        line(JsonObject.of("id", "a"), CanonicalJson.SERDE.hash(PROMPT)),
        delta("b", growth("a", 2, "three"), longer("three")));
    assertThat(findings(report))
        .containsExactly(
            "HASH_UNVERIFIABLE a: the log does not hold the prompt of its prompt_hash",
            "HASH_UNVERIFIABLE b: the prompt is a change of that of the call \"a\", which the log"
                + " does not hold");
  }

  @Test
  void missing_base_is_an_error() throws IOException {
    VerificationReport report = verify(delta("b", growth("a", 2, "three"), longer("three")));
    assertThat(findings(report))
        .containsExactly("PROMPT_DELTA_INVALID b: prompt_delta: none of the last model calls"
            + " has the id \"a\"");
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void base_that_may_be_in_an_unreadable_line_is_not_reported_as_missing() throws IOException {
    VerificationReport report =
        verify("{\"event\":", delta("b", growth("a", 2, "three"), longer("three")));
    assertThat(findings(report))
        .anyMatch(finding -> finding.startsWith("HASH_UNVERIFIABLE b: the prompt is a change of"))
        .noneMatch(finding -> finding.startsWith("PROMPT_DELTA_INVALID"));
  }

  @Test
  void both_forms_of_a_prompt_are_a_contradiction() throws IOException {
    String both = CanonicalJson.SERDE.text(
        JsonText.parse(delta("b", growth("a", 2, "three"), longer("three")))
            .asObject()
            .with("prompt", longer("four")));
    assertThat(findings(verify(full("a", PROMPT), both)))
        .satisfiesExactlyInAnyOrder(
            contradiction -> assertThat(contradiction)
                .endsWith("prompt_delta must replace prompt and prompt_ref, found both"),
            mismatch -> assertThat(mismatch).startsWith("PAYLOAD_HASH_MISMATCH b: "));
  }

  @Test
  void malformed_change_is_a_finding() throws IOException {
    assertThat(findings(verify(delta("b", "{\"base\":1}", PROMPT))))
        .satisfiesExactlyInAnyOrder(
            invalid -> assertThat(invalid)
                .startsWith("FIELD_INVALID null: prompt_delta must be a change of a prompt, found"),
            hash -> assertThat(hash).startsWith("HASH_UNVERIFIABLE b: "));
  }
}
