package dev.agentreplay.cli.text;

import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.Salvaged.Gap;
import dev.agentreplay.model.text.PlainText;
import java.util.stream.Collectors;

/** Renders the report of {@code replay recover} as text. */
public final class RecoveryText {

  private final Style style;
  private final StringBuilder out = new StringBuilder();

  public RecoveryText(Style style) {
    this.style = style;
  }

  public String render(String name, RecoveryReport report) {
    Recovery recovery = report.recovery();
    String shown = Style.plain(name);
    String state = recovery.state();
    boolean whole = recovery instanceof Recovery.Complete || recovery instanceof Recovery.Open;
    out.append(whole ? style.good(state) : style.bad(state)).append("  ").append(style.bold(shown));
    out.append('\n');
    int segments = recovery.extent().segment();
    line(
        whole ? "intact" : "good",
        "%s, %s%s"
            .formatted(
                PlainText.count(recovery.events(), "event"),
                PlainText.count(recovery.bytes(), "byte"),
                segments > 1 ? " in %,d files".formatted(segments) : ""));
    if (recovery instanceof Recovery.TornTail torn) {
      line(
          "tail",
          "%s: %s of an incomplete line"
              .formatted(torn.position(), PlainText.count(torn.droppedBytes(), "byte")));
    } else if (recovery instanceof Recovery.Corrupt corrupt) {
      corrupt(corrupt);
    }
    if (report.repair() != null) {
      repair(report.repair());
    }
    if (report.salvage() != null) {
      salvage(report.salvage());
    } else {
      next(recovery, shown);
    }
    return out.toString();
  }

  private void corrupt(Recovery.Corrupt corrupt) {
    line(
        "wrong",
        "%s  %s: %s".formatted(corrupt.code(), corrupt.position(), Style.plain(corrupt.detail())));
    line(
        "after",
        "%s, %,d unreadable"
            .formatted(
                PlainText.count(corrupt.readableAfter(), "readable line"),
                corrupt.unreadableAfter()));
  }

  private void repair(LogRecovery.Repair repair) {
    if (!repair.removed().isEmpty()) {
      String files = repair.removed().stream()
          .map(file -> Style.plain(file.toString()))
          .collect(Collectors.joining(", "));
      line(
          "repaired",
          "%s cut off, kept in %s"
              .formatted(PlainText.count(repair.droppedBytes(), "byte"), files));
    } else if (repair.before().missingLineFeed()) {
      line("repaired", "added the line feed at the end");
    } else {
      line("repaired", "nothing to repair");
    }
  }

  private void salvage(SalvageTally tally) {
    line(
        "salvaged",
        "%s, into %s"
            .formatted(
                PlainText.count(tally.lines(), "line"), Style.plain(tally.out().toString())));
    line("gaps", "%,d, of %s".formatted(tally.gaps(), PlainText.count(tally.gapBytes(), "byte")));
    for (Gap gap : tally.listed()) {
      out.append("  ")
          .append(style.warn("%-15s".formatted(gap.kind())))
          .append("  %s, %s: ".formatted(gap.position(), PlainText.count(gap.bytes(), "byte")))
          .append(Style.plain(gap.detail()))
          .append('\n');
    }
    long more = tally.gaps() - tally.listed().size();
    if (more > 0) {
      out.append("  %,d more\n".formatted(more));
    }
  }

  private void next(Recovery recovery, String name) {
    if (recovery instanceof Recovery.TornTail) {
      line(
          "next",
          "replay recover %s --repair cuts the tail off and keeps its bytes".formatted(name));
    } else if (recovery instanceof Recovery.Corrupt && recovery.events() == 0) {
      line(
          "next",
          "check the name; if it is a log, replay recover %s --salvage OUT copies what can be read"
              .formatted(name));
    } else if (recovery instanceof Recovery.Corrupt) {
      line("next", "replay recover %s --salvage OUT copies all readable lines".formatted(name));
      line(
          "or",
          "replay recover %s --repair --cut truncates the log before the fault".formatted(name));
    } else if (recovery.missingLineFeed()) {
      line("next", "replay recover %s --repair adds the line feed at the end".formatted(name));
    }
  }

  private void line(String label, String text) {
    out.append("  ").append("%-8s ".formatted(label)).append(text).append('\n');
  }
}
