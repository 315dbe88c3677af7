package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.verify.Attack.Target;
import dev.agentreplay.verify.Column.Shown;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Executes every attack in docs/guarantees.md, and compares the results with the document. */
class GuaranteesDocumentTest {

  private static final String ABSENT = "–";

  @TempDir
  private static Path directory;

  private static GuaranteesDocument document;
  private static Exhibit unsigned;
  private static Exhibit signed;
  private static Exhibit foreign;
  private static Exhibit going;
  private static Exhibit checkpointed;
  private static Exhibit foreignCheckpointed;
  private static Map<Dialect, Exhibit> logs;
  private static Map<Dialect, Exhibit> foreignLogs;
  private static UncoveredTable uncovered;

  /** The result of an attack at one place. */
  private enum Outcome {
    LOCATED,
    DETECTED,
    MISSED
  }

  @BeforeAll
  static void recordSessions() throws IOException {
    document = GuaranteesDocument.read();
    TamperEvidenceOptions plain = TamperEvidenceOptions.defaults();
    TamperEvidenceOptions sealed = plain.withSigner(SealedSessions.SIGNER);
    TamperEvidenceOptions often = sealed.withCheckpointInterval(4);
    unsigned = SealedSessions.ended(directory.resolve("unsigned"), "this", plain);
    signed = SealedSessions.ended(directory.resolve("signed"), "this", sealed);
    foreign = SealedSessions.ended(directory.resolve("foreign"), "that", sealed);
    going = SealedSessions.open(directory.resolve("going"), "this", sealed);
    checkpointed = SealedSessions.open(directory.resolve("checkpointed"), "this", often);
    foreignCheckpointed = SealedSessions.open(directory.resolve("other"), "that", often);
    logs = SealedSessions.inEachDialect(unsigned, directory.resolve("logs"));
    foreignLogs = SealedSessions.inEachDialect(foreign, directory.resolve("foreign-logs"));
    uncovered = new UncoveredTable(unsigned, directory);
    assertThat(unsigned.lines()).isEqualTo(signed.lines());
    assertThat(going.lines()).isEqualTo(signed.truncate(signed.size() - 1).lines());
  }

  private static List<Column> columns() {
    VerifyPolicy log = VerifyPolicy.defaults().requiring(Requirement.SESSION_END);
    VerifyPolicy key = log.requiringSignature(SealedSessions.TRUSTED);
    return List.of(
        new Column("log alone", signed, Shown.LOG, log),
        new Column("+ receipt", unsigned, Shown.ALL, log.requiring(Requirement.TREE)),
        new Column("+ signature, key", signed, Shown.ALL, key),
        new Column(
            "+ earlier checkpoint",
            signed,
            Shown.ALL,
            key.withCheckpoints(List.of(signed.tree(going.size())))));
  }

  private static List<Column> columnsOfCheckpoints() {
    VerifyPolicy key = VerifyPolicy.defaults().requiringSignature(SealedSessions.TRUSTED);
    return List.of(
        new Column("log alone", checkpointed, Shown.LOG, VerifyPolicy.defaults()),
        new Column("+ key", checkpointed, Shown.LOG, key),
        new Column(
            "+ earlier checkpoint",
            checkpointed,
            Shown.LOG,
            key.withCheckpoints(List.of(checkpointed.tree(checkpointed.size())))));
  }

  private static List<Column> columnsOfDialects() {
    return Stream.of(Dialect.values())
        .map(dialect -> new Column(
            "`" + dialect.id() + "`", logs.get(dialect), Shown.LOG, VerifyPolicy.defaults()))
        .toList();
  }

  @TestFactory
  Stream<DynamicTest> sessions_that_are_as_recorded_are_valid() {
    return Stream.of(columns(), columnsOfCheckpoints(), columnsOfDialects(), uncovered.presented())
        .flatMap(List::stream)
        .map(column -> DynamicTest.dynamicTest(column.title(), () -> {
          VerificationReport report = verify(column, column.exhibit(), column.policy());
          assertThat(report.verdict()).as("%s", report).isEqualTo(Verdict.VALID);
        }));
  }

  @TestFactory
  Stream<DynamicTest> attacks_on_a_session_are_found_as_documented() throws IOException {
    List<Attack> attacks = new ArrayList<>(LogAttacks.all(foreign));
    attacks.addAll(SealAttacks.all(foreign, going, directory));
    return tests("Sessions with a receipt", attacks, columns());
  }

  @TestFactory
  Stream<DynamicTest> attacks_on_a_log_with_checkpoints_are_found_as_documented() {
    List<Attack> attacks = new ArrayList<>(LogAttacks.all(foreignCheckpointed));
    attacks.removeIf(attack -> attack.name().equals("truncate, and append a valid end"));
    attacks.addAll(CheckpointAttacks.all());
    return tests("Logs with signed checkpoints", attacks, columnsOfCheckpoints());
  }

  @TestFactory
  Stream<DynamicTest> attacks_through_conversion_are_found_as_documented() {
    return tests("Converted sessions", ConversionAttacks.all(foreignLogs), columnsOfDialects());
  }

  @TestFactory
  Stream<DynamicTest> no_attack_is_converted_to_another_session() {
    ConversionOracle conversion = new ConversionOracle(directory.resolve("converted"));
    return ConversionAttacks.all(foreignLogs).stream()
        .map(attack -> DynamicTest.dynamicTest(attack.name(), () -> {
          for (Column column : columnsOfDialects()) {
            for (Target target : attack.act().on(column.exhibit())) {
              VerificationReport report = verify(column, target.exhibit(), column.policy());
              boolean isFound =
                  report.findingCounts().containsKey(FindingCode.CARRIED_OVER_CONFLICT);
              if (!isFound) { // a conversion refuses a log with the finding
                conversion.check(target.exhibit(), column.exhibit());
              }
            }
          }
        }));
  }

  @TestFactory
  Stream<DynamicTest> attacks_on_what_is_not_covered_come_out_as_documented() {
    return tests(
        "Blobs, previews and receipts of 001",
        UncoveredAttacks.all(),
        uncovered.titles(),
        uncovered::row);
  }

  /** Computes the row of an attack. */
  @FunctionalInterface
  private interface RowOf {
    List<String> attack(Attack attack, List<String> documented) throws IOException;
  }

  private static Stream<DynamicTest> tests(
      String section, List<Attack> attacks, List<Column> columns) {
    return tests(
        section, attacks, columns.stream().map(Column::title).toList(), (attack, documented) -> {
          List<String> row = new ArrayList<>();
          for (Column column : columns) {
            row.add(cell(attack, column, documented.get(row.size())));
          }
          return row;
        });
  }

  /** Returns a test for each row, and one that fails when a row or an attack is missing. */
  private static Stream<DynamicTest> tests(
      String section, List<Attack> attacks, List<String> titles, RowOf rowOf) {
    Map<String, List<String>> rows = document.rows(section);
    Stream<DynamicTest> ofRows = attacks.stream()
        .map(attack -> DynamicTest.dynamicTest(attack.name(), () -> {
          List<String> documented =
              rows.getOrDefault(attack.name(), Collections.nCopies(titles.size(), ""));
          assertThat(documented).isEqualTo(rowOf.attack(attack, documented));
        }));
    DynamicTest names = DynamicTest.dynamicTest(
        "each row has its attack and each attack its row", () -> assertThat(rows.keySet())
            .containsExactlyElementsOf(attacks.stream().map(Attack::name).toList()));
    DynamicTest columns = DynamicTest.dynamicTest(
        "columns", () -> assertThat(document.titles(section)).isEqualTo(titles));
    return Stream.concat(ofRows, Stream.of(names, columns));
  }

  /** The expected cell of the document; if it is in part, the note must be right. */
  private static String cell(Attack attack, Column column, String documented) throws IOException {
    if (documented.equals(ABSENT)) {
      return ABSENT;
    }
    Map<String, Set<Outcome>> outcomes = outcomes(attack, column);
    Set<Outcome> all = outcomes.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    if (!all.contains(Outcome.MISSED)) {
      return all.contains(Outcome.DETECTED) ? "detected" : "located";
    } else if (all.size() == 1) {
      return "not detectable";
    }
    assertThat(outcomes.values()).as("%s", outcomes).allSatisfy(some -> assertThat(
            some.size() == 1 || !some.contains(Outcome.MISSED))
        .isTrue());
    Set<String> detected = new TreeSet<>(outcomes.keySet());
    detected.removeIf(label -> outcomes.get(label).contains(Outcome.MISSED));
    Set<String> missed = new TreeSet<>(outcomes.keySet());
    missed.removeAll(detected);
    assertThat(documented).as("detected %s, missed %s", detected, missed).startsWith("in part [^");
    String note = document.note(documented.substring("in part ".length()));
    assertThat(GuaranteesDocument.quoted(note))
        .as("%s: detected %s, missed %s", note, detected, missed)
        .isEqualTo(note.startsWith("Not detected:") ? missed : detected);
    return documented;
  }

  /** The results of an attack, by the labels of the places. */
  private static Map<String, Set<Outcome>> outcomes(Attack attack, Column column)
      throws IOException {
    boolean isGoing = attack.name().equals(SealAttacks.ROLL_BACK);
    Set<Requirement> requirements = new TreeSet<>(column.policy().requirements());
    if (isGoing) {
      requirements.remove(Requirement.SESSION_END);
    }
    VerifyPolicy policy = column.policy().withRequirements(requirements);
    Map<String, Set<Outcome>> outcomes = new TreeMap<>();
    for (Target target : attack.act().on(column.exhibit())) {
      VerificationReport report = verify(column, target.exhibit(), policy);
      oracle(column).check(report, target.exhibit(), column.shown() == Shown.ALL);
      if (column.exhibit() == checkpointed) {
        assertNothingAlteredIsSigned(report, target.exhibit().lines());
      }
      outcomes
          .computeIfAbsent(target.label(), label -> new TreeSet<>())
          .add(outcome(report, target));
    }
    assertThat(outcomes).as(attack.name()).isNotEmpty();
    return outcomes;
  }

  private static VerificationReport verify(Column column, Exhibit attacked, VerifyPolicy policy)
      throws IOException {
    return column.verify(attacked, policy, directory);
  }

  private static ProvedOracle oracle(Column column) {
    List<List<String>> genuine = Stream.of(
            signed, foreign, going, checkpointed, foreignCheckpointed)
        .map(Exhibit::lines)
        .toList();
    return new ProvedOracle(
        genuine, column.policy().requirements().contains(Requirement.SIGNATURE));
  }

  /** Asserts that only lines of the genuine log are signed, unless the log is the foreign one. */
  private static void assertNothingAlteredIsSigned(VerificationReport report, List<String> lines) {
    long same = 0;
    while (same < Math.min(lines.size(), checkpointed.size())
        && lines.get((int) same).equals(checkpointed.line((int) same + 1))) {
      same++;
    }
    if (!lines.equals(foreignCheckpointed.lines())) {
      assertThat(report.count(Counter.LINES_SIGNED)).isLessThanOrEqualTo(same);
    }
  }

  private static Outcome outcome(VerificationReport report, Target target) {
    boolean isFine = report.verdict() == Verdict.VALID || report.verdict() == Verdict.UNVERIFIED;
    if (isFine && report.unmet().isEmpty()) {
      return Outcome.MISSED;
    }
    return report.findings().stream().anyMatch(finding -> isAt(finding, report, target))
        ? Outcome.LOCATED
        : Outcome.DETECTED;
  }

  /** Whether an error is at an attacked line or call, or at the first checkpoint after it. */
  private static boolean isAt(Finding finding, VerificationReport report, Target target) {
    if (isNoError(finding)) {
      return false;
    }
    if (finding.id() != null && finding.id().equals(target.id())) {
      return true;
    }
    if (finding.position() == null) {
      return false;
    }
    long line = finding.position().line();
    boolean isCheckpoint = finding.code() == FindingCode.TREE_ROOT_MISMATCH;
    long from = isCheckpoint ? report.count(Counter.LINES_IN_TREE) + 1 : line;
    return target.lines().stream().anyMatch(touched -> from <= touched && touched <= line);
  }

  private static boolean isNoError(Finding finding) {
    return finding.severity() != Severity.ERROR && finding.severity() != Severity.UNREADABLE;
  }

  @Test
  void notes_are_all_of_a_cell() {
    assertThat(document.marks()).isNotEmpty().allMatch(document::isUsed);
  }
}
