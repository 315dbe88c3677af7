package dev.agentreplay.cli.text;

import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.publish.secret.ScanReport;
import dev.agentreplay.publish.secret.SecretFinding;

/** The text report of a scan for secrets, without their values. */
public final class ScanText {

  private final Style style;

  public ScanText(Style style) {
    this.style = style;
  }

  public String render(String name, ScanReport report) {
    int found = report.findings().size();
    LabelledText out = new LabelledText();
    out.append("%s  %s\n"
        .formatted(
            found == 0 ? style.good("no secrets") : style.bad(PlainText.count(found, "secret")),
            style.bold(Style.plain(name))));
    out.labelled("scanned", PlainText.count(report.lines(), "line"));
    out.labelled("skipped", report.skipped().stream().map(Style::plain).toList());
    out.labelled("found", report.findings().stream().map(ScanText::line).toList());
    return out.toString();
  }

  private static String line(SecretFinding finding) {
    return Style.plain(finding.rule() + "  " + finding.place());
  }
}
