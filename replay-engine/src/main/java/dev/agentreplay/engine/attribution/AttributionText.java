package dev.agentreplay.engine.attribution;

import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Renders attributions as text. */
public final class AttributionText {

  private static final int VALUE = 60;

  private final AttributionReport report;
  private final LabelledText out = new LabelledText();

  private AttributionText(AttributionReport report) {
    this.report = report;
  }

  /** Renders a report. Control characters of recorded texts are replaced. */
  public static String render(AttributionReport report) {
    return new AttributionText(report).render();
  }

  private String render() {
    out.append("%s  %s\n".formatted(report.verdict().id(), headline()));
    label("first", PlainText.of(report.first().toString()));
    label("second", PlainText.of(report.second().toString()));
    if (report.outcome() != null) {
      label(
          "outcome",
          "%s: %s in the first, %s in the second"
              .formatted(
                  PlainText.of(report.outcome()),
                  value(report.firstOutcome()),
                  value(report.secondOutcome())));
    }
    label("reason", report.reason() == null ? null : PlainText.of(report.reason()));
    report.notTried().forEach(each -> label("not tried", PlainText.of(each)));
    int number = 0;
    for (Cause cause : report.causes()) {
      number++;
      boolean isShown = cause.isMinimal() && cause.isCertain();
      out.append("\n").labelled((isShown ? "cause " : "candidate ") + number, words(cause));
      cause.differences().forEach(this::difference);
      label("", "with %s alone: %s".formatted(them(cause), trials(cause.with())));
      label("", "with all others: " + trials(cause.without()));
    }
    boolean isUncertain = report.causes().stream().anyMatch(cause -> !cause.isCertain());
    if (isUncertain && report.causes().get(0).with().of() == 1) {
      out.append("\n")
          .labelled(
              "note",
              "calls were executed, once for each set: only repetitions tell chance from cause");
    }
    if (!report.remaining().isEmpty()) {
      out.append("\n")
          .labelled("remaining", "what made the outcome that of the second is among these");
      report.remaining().forEach(this::difference);
    }
    return out.toString();
  }

  private String headline() {
    int trials = report.trials().size();
    String made = "%s, %s executed"
        .formatted(PlainText.count(trials, "trial"), PlainText.count(report.executed(), "call"));
    return switch (report.verdict()) {
      case EQUAL -> "the recordings have the same outcome";
      case EXPLAINED ->
        "%d of %s %s the outcome that of the second (%s)"
            .formatted(
                report.causes().get(0).differences().size(),
                PlainText.count(report.differences().size(), "difference"),
                verb(report.causes().get(0)),
                made);
      case UNEXPLAINED, NOT_REPRODUCED, UNDECIDED -> made;
    };
  }

  private static String verb(Cause cause) {
    boolean isOne = cause.differences().size() == 1;
    if (!cause.isCertain()) {
      return "may make";
    }
    return isOne ? "makes" : "make";
  }

  /**
   * The words for what is known of a set: never that it is the cause if trials have not shown that.
   */
  private static String words(Cause cause) {
    List<String> words = new ArrayList<>();
    boolean isOne = cause.differences().size() == 1;
    words.add(
        cause.isMinimal()
            ? isOne ? "sufficient by itself" : "sufficient together, and each of them needed"
            : "sufficient, but not all smaller sets could be decided");
    words.add(
        cause.isNecessary() == null
            ? "not decided whether it is necessary"
            : cause.isNecessary() ? "necessary" : "not necessary: others are sufficient, too");
    return String.join("; ", words);
  }

  private static String them(Cause cause) {
    return cause.differences().size() == 1 ? "it" : "them";
  }

  private static String trials(Proportion proportion) {
    String text = "%d of %s with the outcome of the second"
        .formatted(proportion.count(), PlainText.count(proportion.of(), "trial"));
    return proportion.isCertain() || proportion.of() == 0
        ? text
        : text
            + String.format(
                Locale.ROOT,
                " (95 %% interval %.2f to %.2f)",
                proportion.lower(),
                proportion.upper());
  }

  private void difference(Difference difference) {
    label(
        "",
        "%d. %s, line %d in the first, line %d in the second"
            .formatted(
                difference.number(),
                PlainText.fit(difference.title(), VALUE),
                difference.leftLine(),
                difference.rightLine()));
  }

  private static String value(@Nullable JsonValue value) {
    return PlainText.fit(String.valueOf(value), VALUE);
  }

  private void label(String label, @Nullable String text) {
    if (text != null) {
      out.labelled(label, text);
    }
  }
}
