package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReplayedSessionTest {

  private static final ReplayOrigin ORIGIN = new ReplayOrigin(
      "first", new TreeHead(7, ContentHash.sha256(new byte[0])), ReplayOrigin.MOCK);

  private static final Meta SERVED =
      new Provenance(Provenance.SERVED, Provenance.EXACT, 12L).addTo(Meta.NONE);

  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void origin_and_provenance_are_not_findings(Dialect dialect) throws IOException {
    RecorderOptions defaults = RecorderOptions.defaults();
    RecorderOptions options =
        defaults.withWriter(defaults.writer().withDialect(dialect)).withReplayOf(ORIGIN);
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      session.call(ToolCall.of("c", "read", JsonObject.EMPTY).withMeta(SERVED));
      session.emit(ToolResult.of("c", "x").withLatencyMillis(1L).withMeta(SERVED));
      session.modelCall(ModelCall.of("m", "opus", Prompt.of("hi")).withMeta(SERVED));
      session.emit(ModelResult.of("m", "hello").withMeta(SERVED));
      session.emit(RecordedValue.of("random", 0, JsonNumber.of(1)).withMeta(SERVED));
      session.end(Status.SUCCESS);
    }

    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));

    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      "mode":" ","tree_root":"HASH","tree_size":1     | VALUE_OUT_OF_RANGE | replay_of.mode must not be blank: " "
      "mode":"mock","tree_root":"HASH","tree_size":0  | VALUE_OUT_OF_RANGE | replay_of.tree_size must be at least 1: 0
      "mode":"mock","tree_root":"HASH","tree_size":-1 | VALUE_OUT_OF_RANGE | replay_of.tree_size must be at least 1: -1
      "mode":"mock","tree_root":"HASH"                | FIELD_INVALID      | replay_of must be an object of mode,
      """)
  void origin_out_of_range_is_a_finding(String members, FindingCode code, String message)
      throws IOException {
    String origin = "\"replay_of\":{%s},\"replay_version\""
        .formatted(members.replace("HASH", ORIGIN.head().root().toString()));

    VerificationReport report =
        TestLog.small().edit(1, "\"replay_version\"", origin).verify(directory, null);

    assertThat(report.findings()).extracting(Finding::code).containsExactly(code);
    assertThat(report.findings().get(0).message()).startsWith(message);
  }

  @Test
  void malformed_provenance_is_an_unknown_member() throws IOException {
    assertThat(TestLog.small()
            .edit(TestLog.CALL_1, "\"event\"", "\"replayed\":true,\"event\"")
            .verify(directory, null)
            .count(FindingCode.FIELD_INVALID))
        .isZero();
  }
}
