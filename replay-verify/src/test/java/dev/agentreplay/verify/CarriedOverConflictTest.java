package dev.agentreplay.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log that a conversion would make another session of is not valid, in every dialect. */
class CarriedOverConflictTest {

  @TempDir
  Path directory;

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`{\"event\":\"ReplayHeader\",\"replay_version\":1,`, `{\"event\":\"ToolCall\",\"id\":\"1\","
            + "\"params\":{},\"tool\":\"ls\",`, type",
        "`{\"type\":\"ReplayHeader\",\"replay_version\":1,`, `{\"type\":\"ToolCall\","
            + "\"params\":{},\"step_id\":\"1\",\"tool\":\"ls\",`, event",
        "`{\"type\":\"ReplayHeader\",\"version\":\"1.0.0\",\"session_id\":\"s\",`,"
            + "`{\"type\":\"ToolCall\",\"id\":\"1\",\"params\":{},\"tool\":\"ls\",`, event"
      })
  void conflicts_are_reported_at_their_lines(String header, String call, String other)
      throws IOException {
    Path log = Files.writeString(
        directory.resolve("REPLAY.jsonl"),
        header + "\"bundle\":{\"events\":[]}}\n" + call
            + "\"carried_over\":{\"%s\":{\"tool\":\"sh\"}}}\n".formatted(other) + call
            + "\"carried_over\":{\"%s\":{\"other\":\"sh\"}}}\n".formatted(other),
        UTF_8);

    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(log));

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findings())
        .filteredOn(finding -> finding.code() == FindingCode.CARRIED_OVER_CONFLICT)
        .extracting(finding -> finding.position().line())
        .containsExactly(1L, 2L);
    assertThat(report.findings())
        .extracting(Finding::message)
        .anyMatch(message -> message.endsWith("found tool"));
  }
}
