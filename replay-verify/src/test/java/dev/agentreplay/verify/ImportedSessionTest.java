package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ImportOrigin;
import dev.agentreplay.model.ImportOrigin.SourceFile;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.verify.VerificationReport.Claim;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import dev.agentreplay.verify.report.ReportJson;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A verification of a session that was imported proves the copy, and names the source. */
class ImportedSessionTest {

  private static final ImportOrigin ORIGIN = new ImportOrigin(
      "claude-code",
      List.of(new SourceFile("a.jsonl", 12, ContentHash.parse("sha256:" + "ab".repeat(32)))));

  @TempDir
  private Path directory;

  private static TestLog log(JsonValue origin) {
    TestLog log = TestLog.small();
    JsonObject header = log.json(1).with(Names.IMPORTED_FROM, origin);
    return log.replace(1, CanonicalJson.SERDE.text(header));
  }

  private VerificationReport verify(TestLog log, JsonValue inReceipt) throws IOException {
    Session session = log.write(directory, null);
    JsonObject receipt = ReceiptCodec.encode(Receipts.compute(session, Receipt.Form.SESSION));
    return log.verify(
        directory, inReceipt == null ? receipt : receipt.with(Names.IMPORTED_FROM, inReceipt));
  }

  @Test
  void report_names_the_source_and_says_that_the_copy_is_proved() throws IOException {
    VerificationReport report = verify(log(ORIGIN.json()), ORIGIN.json());

    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.importedFrom()).isEqualTo(ORIGIN);
    assertThat(report.conclusions().stream().filter(each -> each.claim() == Claim.IMPORT))
        .singleElement()
        .satisfies(each -> assertThat(each.isProved()).isFalse())
        .extracting(Conclusion::text)
        .isEqualTo("that the trace is true: this is an import of claude-code, and what is proved is"
            + " the copy");
    assertThat(ReportJson.render(report).get(Names.IMPORTED_FROM)).isEqualTo(ORIGIN.json());
    assertThat(VerificationText.render(report, "a", VerificationText.PLAIN))
        .contains("  imported    from claude-code, a.jsonl (sha256:abababababab…)\n");
  }

  @Test
  void header_may_state_it_alone() throws IOException {
    assertThat(verify(log(ORIGIN.json()), null).findings()).isEmpty();
  }

  @Test
  void receipt_that_states_a_different_source_is_found() throws IOException {
    ImportOrigin other = new ImportOrigin("codex", ORIGIN.files());
    VerificationReport report = verify(log(ORIGIN.json()), other.json());
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findings()).singleElement().satisfies(finding -> {
      assertThat(finding.code()).isEqualTo(FindingCode.RECEIPT_FIELD_MISMATCH);
      assertThat(finding.message()).startsWith("session: imported_from is ");
      assertThat(finding.position()).isNotNull();
    });
  }

  @Test
  void receipt_of_an_import_whose_log_states_none_is_found() throws IOException {
    assertThat(verify(TestLog.small(), ORIGIN.json()).findings())
        .extracting(Finding::message)
        .singleElement()
        .asString()
        .startsWith("session: imported_from is absent in the log, but ");
  }

  @Test
  void member_of_a_different_form_is_not_an_import() throws IOException {
    VerificationReport report = verify(log(JsonValue.of("x")), null);
    assertThat(report.importedFrom()).isNull();
    assertThat(ReportJson.render(report).get(Names.IMPORTED_FROM).toString()).isEqualTo("null");
  }
}
