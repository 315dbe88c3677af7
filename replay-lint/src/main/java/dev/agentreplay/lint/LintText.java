package dev.agentreplay.lint;

import dev.agentreplay.lint.pattern.Suppression;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text form of a report. */
public final class LintText {

  private static final int LISTED = 10;

  private LintText() {}

  /** Returns a report for people, of which the first line is the result. */
  public static String render(DeterminismReport report) {
    StringBuilder out = new StringBuilder(headline(report)).append('\n');
    report.findings().forEach(finding -> out.append('\n').append(render(finding)));
    LabelledText rows = new LabelledText();
    rows.labelled(
        "scanned",
        "%s, %s; %s reached from %s"
            .formatted(
                classes(report.classes()),
                PlainText.count(report.methods(), "method"),
                PlainText.count(report.reachedMethods(), "method"),
                PlainText.count(report.entryPoints(), "entry point")));
    rows.labelled("no entry", plain(report.unmatchedEntries()));
    rows.labelled("suppressed", suppressed(report));
    rows.labelled(
        "unused", report.unusedSuppressions().stream().map(LintText::unused).toList());
    rows.labelled("problems", plain(report.problems()));
    if (!report.unresolved().isEmpty()) {
      rows.labelled("unresolved", unresolved(report.unresolved()));
    }
    return out.append(report.findings().isEmpty() ? "" : "\n").append(rows).toString();
  }

  private static String classes(long count) {
    return count == 1 ? "1 class" : String.format(Locale.ROOT, "%,d classes", count);
  }

  private static String headline(DeterminismReport report) {
    if (!report.findings().isEmpty()) {
      return PlainText.count(report.findings().size(), "nondeterministic call");
    }
    if (report.entryPoints() == 0) {
      return "nothing was checked: no entry point was found";
    }
    return report.isDeterministic()
        ? "no nondeterministic calls"
        : "no nondeterministic calls in what could be scanned";
  }

  /**
   * Returns a finding for people: the call, the way to it from its place to the entry point, the
   * remedy.
   */
  public static String render(DeterminismFinding finding) {
    StringBuilder out = new StringBuilder(finding.category().id())
        .append("  ")
        .append(PlainText.of(finding.api()))
        .append(finding.detail().isEmpty() ? "" : " of " + PlainText.of(finding.detail()))
        .append('\n');
    List<CallStep> path = finding.path();
    for (int i = path.size() - 1; i >= 0; i--) {
      out.append("    at ").append(PlainText.of(path.get(i).toString())).append('\n');
    }
    if (!finding.remedy().isEmpty()) {
      out.append("    use ").append(PlainText.of(finding.remedy())).append('\n');
    }
    return out.toString();
  }

  private static List<String> suppressed(DeterminismReport report) {
    List<String> rows = new ArrayList<>();
    for (SuppressedFinding suppressed : report.suppressed()) {
      rows.add(PlainText.of(
          suppressed.finding() + ", because " + suppressed.suppression().reason()));
    }
    return rows;
  }

  private static String unused(Suppression suppression) {
    return PlainText.of(
        "%s (%s) covers no finding: remove it".formatted(suppression, suppression.source()));
  }

  private static String unresolved(List<String> names) {
    String first = String.join(", ", plain(names.subList(0, Math.min(names.size(), LISTED))));
    return names.size() > LISTED
        ? String.format(Locale.ROOT, "%s and %,d more", first, names.size() - LISTED)
        : first;
  }

  private static List<String> plain(List<?> texts) {
    return texts.stream().map(text -> PlainText.of(text.toString())).toList();
  }
}
