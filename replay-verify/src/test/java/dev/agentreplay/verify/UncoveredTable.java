package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.Attack.Target;
import dev.agentreplay.verify.Column.Shown;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Executes the table of attacks on parts that no receipt, end or blob covers. */
final class UncoveredTable {

  private final Map<String, Column> presented;
  private final Map<String, VerifyPolicy> policies = new LinkedHashMap<>();
  private final Path directory;

  /**
   * Creates a table.
   *
   * @param session a session with a receipt and a blob
   * @param directory a directory to write in
   */
  UncoveredTable(Exhibit session, Path directory) {
    this.directory = directory;
    VerifyPolicy policy = VerifyPolicy.defaults();
    TestLog small = TestLog.small();
    presented = Stream.of(
            new Column("log alone", session, Shown.LOG, policy),
            new Column("+ receipt", session, Shown.ALL, policy),
            new Column("+ calls", UncoveredAttacks.undigested(session), Shown.ALL, policy),
            new Column("+ 001", small.exhibit(small.trajectoryReceipt()), Shown.ALL, policy))
        .collect(Collectors.toMap(Column::title, column -> column));
    policies.put("`replay verify`", policy);
    policies.put("`--lenient`", VerifyPolicy.lenient());
    policies.put("`--require values`", policy.requiring(Requirement.VALUES));
    policies.put("`--strict`", VerifyPolicy.strict());
  }

  List<Column> presented() {
    return List.copyOf(presented.values());
  }

  List<String> titles() {
    List<String> titles = new ArrayList<>(List.of("evidence"));
    titles.addAll(policies.keySet());
    titles.add("reported");
    return titles;
  }

  /** The expected cells of a row; the first names the evidence. */
  List<String> row(Attack attack, List<String> documented) throws IOException {
    String titles = documented.get(0);
    List<String> row = new ArrayList<>(List.of(titles));
    for (VerifyPolicy policy : policies.values()) {
      row.add(reports(attack, titles, policy).stream()
          .map(report -> report.verdict().name().toLowerCase(Locale.ROOT))
          .distinct()
          .collect(Collectors.joining(" or ")));
    }
    row.add(reported(
        reports(attack, titles, VerifyPolicy.defaults()), documented.get(documented.size() - 1)));
    return row;
  }

  /** The results of an attack at each place of each session. */
  private List<VerificationReport> reports(Attack attack, String titles, VerifyPolicy policy)
      throws IOException {
    List<VerificationReport> reports = new ArrayList<>();
    for (String title : titles.split(", ")) {
      Column column = presented.get(title);
      assertThat(column).as(title).isNotNull();
      List<Target> targets = attack.act().on(column.exhibit());
      assertThat(targets).as(title).isNotEmpty();
      ProvedOracle oracle = new ProvedOracle(List.of(column.exhibit().lines()), false);
      for (Target target : targets) {
        VerificationReport report = column.verify(target.exhibit(), policy, directory);
        oracle.check(report, target.exhibit(), column.shown() == Shown.ALL);
        reports.add(report);
      }
    }
    return reports;
  }

  /**
   * The documented cell if it quotes all findings, and statements that are not proved, of every
   * place; otherwise the quotations it should have.
   */
  private static String reported(List<VerificationReport> reports, String documented) {
    Set<String> quoted = GuaranteesDocument.quoted(documented);
    Set<Set<String>> found = reports.stream()
        .map(report -> Stream.concat(
                report.findingCounts().keySet().stream().map(FindingCode::name),
                report.conclusions().stream()
                    .filter(conclusion -> !conclusion.isProved())
                    .map(Conclusion::text)
                    .filter(quoted::contains))
            .collect(Collectors.toCollection(TreeSet::new)))
        .collect(Collectors.toSet());
    return found.equals(Set.of(quoted)) ? documented : found.toString();
  }
}
