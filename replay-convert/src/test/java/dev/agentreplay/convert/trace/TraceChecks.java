package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.report.ImportCounts;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Checks that hold for the importer of each format. */
final class TraceChecks {

  private TraceChecks() {}

  /** Imports a file into a new directory. */
  static ImportReport importFile(Path source, Path out) throws IOException {
    return TraceImporter.of(ImportOptions.defaults()).importFile(source, out);
  }

  /** The directories of the sessions of an import. */
  static List<Path> sessions(ImportReport report) {
    return report.sessions().stream()
        .map(
            session -> session.name() == null ? report.out() : report.out().resolve(session.name()))
        .toList();
  }

  /** Fails unless the numbers of an import are those that were counted in the source. */
  static void requireCounts(ForeignFiles.Expected expected, ImportReport report) {
    ForeignFiles.Expected found = new ForeignFiles.Expected(
        expected.file(),
        sum(report, ImportCounts::messages),
        sum(report, ImportCounts::modelCalls),
        sum(report, ImportCounts::toolCalls),
        sum(report, ImportCounts::toolResults),
        sum(report, ImportCounts::orphanResults),
        sum(report, ImportCounts::agents),
        sum(report, ImportCounts::tokensIn),
        sum(report, ImportCounts::tokensOut));
    assertThat(found).usingRecursiveComparison().isEqualTo(expected);
  }

  private static long sum(ImportReport report, ToLongFunction<ImportCounts> number) {
    return report.sessions().stream()
        .map(ImportedSession::counts)
        .mapToLong(number)
        .sum();
  }

  /** Fails unless each session of an import verifies, with its receipt. */
  static void requireValid(ImportReport report) throws IOException {
    for (Path directory : sessions(report)) {
      VerificationReport verified =
          SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
      assertThat(verified.verdict())
          .as("%s: %s", directory, verified.findings())
          .isEqualTo(Verdict.VALID);
    }
  }

  /** Fails unless each value of the source is in the sessions, or in the ledger. */
  static void requireAccounted(ImportReport report) throws IOException {
    assertThat(LeafAccount.missing(report)).isEmpty();
  }

  /** Imports a file with one session into a new directory, and returns its events. */
  static List<JsonObject> events(Path source, Path out) throws IOException {
    List<JsonObject> events = new ArrayList<>();
    try (ReplayReader reader = Session.open(importFile(source, out).out()).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        events.add(line.json());
      }
    }
    return events;
  }
}
