package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.Session;
import dev.agentreplay.io.TamperEvidence;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Severity;
import dev.agentreplay.verify.Attack.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every attack in docs/guarantees.md, carried out: it is found, or not found, as it says. */
class GuaranteesDocumentTest {

  private static final String ABSENT = "–";

  @TempDir
  private static Path directory;

  private static String document;
  private static Exhibit unsigned;
  private static Exhibit signed;
  private static Exhibit foreign;
  private static Exhibit going;
  private static Exhibit checkpointed;
  private static Exhibit foreignCheckpointed;

  /** What came of an attack in one place. */
  private enum Outcome {
    LOCATED,
    DETECTED,
    MISSED
  }

  /**
   * What an auditor is presented with.
   *
   * @param title the column of the document
   * @param exhibit the session before it was attacked
   * @param shown what of its files is presented
   * @param policy what the command in the document stands for
   */
  private record Column(String title, Exhibit exhibit, Shown shown, VerifyPolicy policy) {

    VerificationReport verify(Exhibit attacked, VerifyPolicy by) throws IOException {
      Session session = attacked.write(directory);
      return ReceiptVerifier.of(by)
          .verify(
              shown == Shown.LOG
                  ? new Session(session.log(), null, null, null, session.blobs())
                  : session);
    }
  }

  private enum Shown {
    LOG,
    ALL
  }

  @BeforeAll
  static void recordSessions() throws IOException {
    document = Files.readString(Path.of("../docs/guarantees.md"), StandardCharsets.UTF_8);
    TamperEvidence plain = TamperEvidence.defaults();
    TamperEvidence sealed = plain.withSigner(SealedSessions.SIGNER);
    TamperEvidence often = sealed.withCheckpointInterval(4);
    unsigned = SealedSessions.ended(directory.resolve("unsigned"), "this", plain);
    signed = SealedSessions.ended(directory.resolve("signed"), "this", sealed);
    foreign = SealedSessions.ended(directory.resolve("foreign"), "that", sealed);
    going = SealedSessions.open(directory.resolve("going"), "this", sealed);
    checkpointed = SealedSessions.open(directory.resolve("checkpointed"), "this", often);
    foreignCheckpointed = SealedSessions.open(directory.resolve("other"), "that", often);
    assertThat(unsigned.lines()).isEqualTo(signed.lines());
    assertThat(going.lines()).isEqualTo(signed.truncate(signed.size() - 1).lines());
  }

  private static List<Column> columns() {
    VerifyPolicy log = VerifyPolicy.defaults().requiring(Requirement.SESSION_END);
    VerifyPolicy key = log.trusting(SealedSessions.TRUSTED);
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
    VerifyPolicy key = VerifyPolicy.defaults().trusting(SealedSessions.TRUSTED);
    return List.of(
        new Column("log alone", checkpointed, Shown.LOG, VerifyPolicy.defaults()),
        new Column("+ key", checkpointed, Shown.LOG, key),
        new Column(
            "+ earlier checkpoint",
            checkpointed,
            Shown.LOG,
            key.withCheckpoints(List.of(checkpointed.tree(checkpointed.size())))));
  }

  @TestFactory
  Stream<DynamicTest> sessions_that_are_as_recorded_are_valid() {
    return Stream.concat(columns().stream(), columnsOfCheckpoints().stream())
        .map(column -> DynamicTest.dynamicTest(column.title, () -> {
          VerificationReport report = column.verify(column.exhibit, column.policy);
          assertThat(report.verdict()).as("%s", report).isEqualTo(Verdict.VALID);
        }));
  }

  @TestFactory
  Stream<DynamicTest> attacks_on_a_session_are_found_as_documented() throws IOException {
    List<Attack> attacks = new ArrayList<>(LogAttacks.all(foreign));
    attacks.addAll(SealAttacks.all(foreign, going, directory));
    return tests("A session with a receipt", attacks, columns());
  }

  @TestFactory
  Stream<DynamicTest> attacks_on_a_log_with_checkpoints_are_found_as_documented() {
    List<Attack> attacks = new ArrayList<>(LogAttacks.all(foreignCheckpointed));
    attacks.removeIf(attack -> attack.name().equals("truncate and end properly"));
    attacks.addAll(CheckpointAttacks.all());
    return tests("A log with signed checkpoints", attacks, columnsOfCheckpoints());
  }

  /** A test for each row, which fails when the row or the attack is missing. */
  private static Stream<DynamicTest> tests(
      String section, List<Attack> attacks, List<Column> columns) {
    Map<String, List<String>> rows = rows(section);
    Map<String, Attack> byName = new LinkedHashMap<>();
    attacks.forEach(attack -> byName.put(attack.name(), attack));
    Stream<DynamicTest> ofRows = attacks.stream()
        .map(attack -> DynamicTest.dynamicTest(attack.name(), () -> {
          List<String> found = new ArrayList<>();
          for (Column column : columns) {
            found.add(cell(attack, column, rows.get(attack.name()), found.size()));
          }
          assertThat(rows.get(attack.name())).isEqualTo(found);
        }));
    DynamicTest names = DynamicTest.dynamicTest(
        "each row has its attack and each attack its row",
        () -> assertThat(rows.keySet()).containsExactlyElementsOf(byName.keySet()));
    DynamicTest titles = DynamicTest.dynamicTest("columns", () -> assertThat(titles(section))
        .containsExactlyElementsOf(columns.stream().map(Column::title).toList()));
    return Stream.concat(ofRows, Stream.of(names, titles));
  }

  /** What the cell of the document should be; where it has a note, one whose note is right. */
  private static String cell(Attack attack, Column column, List<String> row, int index)
      throws IOException {
    String documented = row == null ? "" : row.get(index);
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
    String note = note(documented.substring("in part ".length()));
    assertThat(quoted(note))
        .as("%s: detected %s, missed %s", note, detected, missed)
        .isEqualTo(note.startsWith("Not detected:") ? missed : detected);
    return documented;
  }

  /** What comes of an attack, by the places where it is done. */
  private static Map<String, Set<Outcome>> outcomes(Attack attack, Column column)
      throws IOException {
    boolean isGoing = attack.name().equals(SealAttacks.ROLL_BACK);
    Set<Requirement> requirements = new TreeSet<>(column.policy.requirements());
    if (isGoing) {
      requirements.remove(Requirement.SESSION_END);
    }
    VerifyPolicy policy = column.policy.withRequirements(requirements);
    Map<String, Set<Outcome>> outcomes = new TreeMap<>();
    for (Target target : attack.act().on(column.exhibit)) {
      VerificationReport report = column.verify(target.exhibit(), policy);
      oracle(column).check(report, target.exhibit(), column.shown == Shown.ALL);
      if (column.exhibit == checkpointed) {
        assertNothingAlteredIsSigned(report, target.exhibit().lines());
      }
      outcomes
          .computeIfAbsent(target.label(), label -> new TreeSet<>())
          .add(outcome(report, target));
    }
    assertThat(outcomes).as(attack.name()).isNotEmpty();
    return outcomes;
  }

  private static ProvedOracle oracle(Column column) {
    List<List<String>> genuine = Stream.of(
            signed, foreign, going, checkpointed, foreignCheckpointed)
        .map(Exhibit::lines)
        .toList();
    return new ProvedOracle(genuine, column.policy.requirements().contains(Requirement.SIGNATURE));
  }

  /** Unless it is what was signed elsewhere. */
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

  /** Whether an error is at what was touched, or at the first checkpoint behind it. */
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

  private static Map<String, List<String>> rows(String section) {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    table(section).skip(2).forEach(cells -> rows.put(cells.get(0), cells.subList(1, cells.size())));
    return rows;
  }

  private static List<String> titles(String section) {
    List<String> titles = table(section).findFirst().orElseThrow();
    return titles.subList(1, titles.size());
  }

  /** The first table of a section, row by row. */
  private static Stream<List<String>> table(String section) {
    int from = document.indexOf("## " + section + "\n");
    assertThat(from).as("section %s", section).isPositive();
    from = document.indexOf("\n| attack |", from) + 1;
    return document
        .substring(from, document.indexOf("\n\n", from))
        .lines()
        .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList());
  }

  private static String note(String mark) {
    return document
        .lines()
        .filter(line -> line.startsWith(mark + ": "))
        .map(line -> line.substring(mark.length() + 2))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no note " + mark));
  }

  private static Set<String> quoted(String note) {
    return Pattern.compile("`([^`]+)`")
        .matcher(note)
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void notes_are_all_of_a_cell() {
    Set<String> marks = Pattern.compile("(?m)^(\\[\\^[^\\]]+\\]): ")
        .matcher(document)
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toSet());
    assertThat(marks).isNotEmpty().allSatisfy(mark -> assertThat(document).contains(mark + " |"));
  }
}
