package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of another tool is named for what it is, and not listed line by line. */
class ForeignFilesTest {

  private static final String LINE =
      "{ \"type\":\"user\",\"sessionId\":\"95e6\",\"uuid\":\"u\",\"message\":{} }";

  private static final String LOOKS = "there is no ReplayHeader; the file looks like "
      + "a Claude Code transcript, which replay import reads";

  @TempDir
  private Path directory;

  @Test
  void foreign_file_has_one_finding_that_is_listed_and_the_others_are_counted() throws IOException {
    VerificationReport report = verify(LINE + "\n" + LINE + "\n" + LINE + "\n");

    assertThat(report.findings())
        .extracting(Finding::code, Finding::message)
        .containsExactly(tuple(FindingCode.HEADER_MISSING, LOOKS));
    assertThat(report.count(FindingCode.NOT_CANONICAL)).isEqualTo(3);
    assertThat(report.count(FindingCode.UNKNOWN_EVENT)).isEqualTo(3);
    assertThat(report.count(FindingCode.SESSION_END_MISSING)).isEqualTo(1);
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.conclusions()).noneMatch(Conclusion::isProved);
  }

  @Test
  void foreign_file_with_two_objects_on_one_line_is_still_named() throws IOException {
    VerificationReport report = verify(LINE + "\n" + LINE + LINE + "\n" + LINE + "\n");

    assertThat(report.verdict()).isEqualTo(Verdict.UNREADABLE);
    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactlyInAnyOrder(FindingCode.HEADER_MISSING, FindingCode.MALFORMED_LINE);
    assertThat(report.findings()).allSatisfy(finding -> assertThat(finding.message())
        .endsWith("looks like a Claude Code transcript, which replay import reads"));
  }

  @Test
  void document_of_several_lines_is_identified_as_one() throws IOException {
    VerificationReport report = verify("{\n  \"a\": 1,\n  \"b\": [\n    {}\n  ]\n}\n");

    assertThat(report.findings())
        .singleElement()
        .extracting(Finding::message)
        .asString()
        .endsWith("; the file looks like one JSON document of several lines");
  }

  private VerificationReport verify(String text) throws IOException {
    Path file = directory.resolve("full.jsonl");
    Files.writeString(file, text, StandardCharsets.UTF_8);
    return SessionVerifier.of(VerifyPolicy.defaults()).verify(new Session(file, null));
  }
}
