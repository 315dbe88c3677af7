package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestSessions;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Recorded sessions are as they should be, and what was altered in one is found. */
class CorpusTest {

  @TestFactory
  Stream<DynamicTest> bundled_sessions_are_true() {
    return sessions(TestSessions.directories(TestSessions.bundled("sessions")));
  }

  @TestFactory
  Stream<DynamicTest> bundled_cases_are_found() throws IOException {
    return cases(TestSessions.bundled("tampered"));
  }

  @TestFactory
  Stream<DynamicTest> sessions_of_the_corpus_are_true() {
    Path corpus = TestSessions.corpus();
    return Stream.of("tau-bench", "openagents-stream", "draft-002")
        .flatMap(set -> sessions(TestSessions.directories(corpus.resolve(set))));
  }

  @TestFactory
  Stream<DynamicTest> cases_of_the_corpus_are_found() throws IOException {
    return cases(TestSessions.corpus().resolve("tampered"));
  }

  private static Stream<DynamicTest> sessions(List<Path> directories) {
    assertThat(directories).isNotEmpty();
    return directories.stream()
        .map(directory -> DynamicTest.dynamicTest(name(directory), () -> {
          VerificationReport report = verify(directory);
          boolean checked =
              report.dialect() != Dialect.DRAFT // which has neither hashes nor receipt
                  && (report.count(Counter.TOOL_CALLS) > 0
                      || report.count(Counter.RECEIPT_DIGESTS_VERIFIED) > 0);
          assertThat(report.verdict())
              .as("%s", report.findings())
              .isEqualTo(checked ? Verdict.VALID : Verdict.UNVERIFIED);
          assertThat(report.count(Counter.RECEIPT_CALLS_MATCHED))
              .isEqualTo(
                  report.dialect() == Dialect.DRAFT ? 0 : report.count(Counter.ANSWERED_CALLS));
        }));
  }

  private static Stream<DynamicTest> cases(Path root) throws IOException {
    List<String[]> rows = Files.readAllLines(root.resolve("CASES.tsv")).stream()
        .skip(1)
        .map(row -> row.split("\t"))
        .toList();
    assertThat(rows)
        .extracting(row -> row[0])
        .containsExactlyInAnyOrderElementsOf(
            TestSessions.directories(root).stream().map(CorpusTest::name).toList());
    return rows.stream()
        .map(row -> DynamicTest.dynamicTest(row[0], () -> {
          Path directory = root.resolve(row[0]);
          JsonObject expected = JsonText.parse(
                  Files.readAllBytes(directory.resolve("EXPECTED.json")))
              .asObject();
          VerificationReport report = verify(directory);

          assertThat(exit(report.verdict()))
              .as("%s", report.findings())
              .isEqualTo(expected.at("/exit").asLong());
          assertThat(report.findingCounts().keySet().stream().map(FindingCode::name))
              .containsAll(expected.at("/codes").asArray().stream()
                  .map(JsonValue::asString)
                  .toList());
          JsonValue line = expected.at("/line");
          if (!line.isNull()) {
            assertThat(report.findings())
                .filteredOn(finding -> finding.code().name().equals(row[1]))
                .anySatisfy(
                    finding -> assertThat(finding.position().line()).isEqualTo(line.asLong()));
          }
        }));
  }

  private static long exit(Verdict verdict) {
    return switch (verdict) {
      case VALID, UNVERIFIED -> 0;
      case INVALID -> 1;
      case UNREADABLE -> 3;
    };
  }

  private static VerificationReport verify(Path directory) throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
  }

  private static String name(Path directory) {
    return directory.getFileName().toString();
  }
}
