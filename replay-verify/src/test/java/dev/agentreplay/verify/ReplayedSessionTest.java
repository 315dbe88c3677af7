package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayedSessionTest {

  private static final ReplayOrigin ORIGIN = new ReplayOrigin(
      "first", new TreeHead(7, ContentHash.sha256(new byte[0])), ReplayOrigin.MOCK);

  @TempDir
  private Path directory;

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
}
