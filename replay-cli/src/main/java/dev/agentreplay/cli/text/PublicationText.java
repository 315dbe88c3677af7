package dev.agentreplay.cli.text;

import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.publish.PublicationReport;
import dev.agentreplay.publish.policy.RemovalLedger;
import java.util.ArrayList;
import java.util.List;

/** The text report of a publication. */
public final class PublicationText {

  private final Style style;

  public PublicationText(Style style) {
    this.style = style;
  }

  public String render(String in, PublicationReport report) {
    LabelledText out = new LabelledText()
        .append("published  " + style.bold(Style.plain(report.directory().toString())) + "\n");
    out.labelled(
        "source",
        "%s, %s, %s"
            .formatted(
                Style.plain(in),
                PlainText.count(report.lines(), "line"),
                report.source().verdict().id()));
    out.labelled("policy", Style.plain(report.policy().id()));
    out.labelled("root", root(report));
    out.labelled("values", values(report.removed()));
    out.labelled("removed", entries(report.removed()));
    out.labelled("wrote", report.files().stream().map(Style::plain).toList());
    return out.toString();
  }

  private static String root(PublicationReport report) {
    return report.checkpoint() == null
        ? "none: the hashes are plain, and nothing that is shown can be verified"
        : "%s, %s"
            .formatted(
                report.checkpoint().tree().root(),
                report.checkpoint().isSigned() ? "signed" : "not signed");
  }

  private static String values(RemovalLedger removed) {
    List<String> parts = new ArrayList<>();
    parts.add(PlainText.count(removed.shownMembers(), "member") + " shown unchanged");
    for (RemovalLedger.Kind kind : RemovalLedger.Kind.values()) {
      parts.add("%,d %s".formatted(removed.count(kind), kind.id()));
    }
    return String.join(", ", parts);
  }

  private static List<String> entries(RemovalLedger removed) {
    return removed.entries().stream()
        .map(entry -> "%,6d  %s%s  %s%s"
            .formatted(
                entry.count(),
                Style.plain(entry.event()),
                Style.plain(entry.pointer()),
                entry.kind().id(),
                entry.reason().equals(RemovalLedger.POLICY)
                    ? ""
                    : " (" + Style.plain(entry.reason()) + ")"))
        .toList();
  }
}
