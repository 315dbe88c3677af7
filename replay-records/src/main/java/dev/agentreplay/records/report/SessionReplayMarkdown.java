package dev.agentreplay.records.report;

import dev.agentreplay.engine.report.MarkdownReport;
import dev.agentreplay.engine.report.MarkdownText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.replay.DivergenceTally;
import dev.agentreplay.records.replay.InputDifference;
import dev.agentreplay.records.replay.MessageDivergence;
import dev.agentreplay.records.replay.MessagePair;
import dev.agentreplay.records.replay.RosterChange;
import dev.agentreplay.records.replay.SessionDeltas;
import dev.agentreplay.records.replay.SessionMatrix;
import dev.agentreplay.records.replay.SessionMatrix.Comparison;
import dev.agentreplay.records.replay.SessionReplayResult;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Renders the replay of a session record as GitHub Flavored Markdown, for a comment on a pull
 * request.
 *
 * <p>Recorded text is only placed in code spans and fenced blocks, so that it cannot create markup,
 * mention users or link to issues. A report has at most {@value MarkdownReport#MAX_LENGTH}
 * characters and states how much was omitted. Each line ends with a line feed.
 */
public final class SessionReplayMarkdown {

  private static final int MAX_ROWS = 50;
  private static final int MAX_INPUTS = 20;

  /** The space reserved for the last line, which states how much was omitted. */
  private static final int RESERVE = 200;

  private final SessionReplayResult result;
  private final StringBuilder out = new StringBuilder();

  private SessionReplayMarkdown(SessionReplayResult result) {
    this.result = Objects.requireNonNull(result, "result");
  }

  /**
   * Renders a replay.
   *
   * @throws IOException if a text of a trace cannot be read
   */
  public static String render(SessionReplayResult result) throws IOException {
    return new SessionReplayMarkdown(result).render();
  }

  /** Renders several comparisons as a table. */
  public static String render(SessionMatrix matrix) {
    StringBuilder out = new StringBuilder();
    out.append("**%s** of %s\n\n"
        .formatted(
            PlainText.count(matrix.comparisons().size(), "comparison"),
            MarkdownText.code(matrix.original().sessionId())));
    out.append(
        """
        | roster | similarity | artifact | major | moderate | minor | undecided | verdict |
        |---|--:|--:|--:|--:|--:|--:|---|
        """);
    for (Comparison comparison : matrix.comparisons()) {
      DivergenceTally tally = comparison.tally();
      Double artifact = comparison.artifact();
      out.append("| %s | %s | %s | %d | %d | %d | %d | %s |\n"
          .formatted(
              MarkdownText.cell(comparison.name()),
              SessionWording.percent(comparison.similarity()),
              artifact == null ? "not compared" : SessionWording.percent(artifact),
              tally.count(Severity.MAJOR),
              tally.count(Severity.MODERATE),
              tally.count(Severity.MINOR),
              tally.undecided(),
              comparison.result().verdict().id()));
    }
    Comparison closest = matrix.closest();
    Comparison farthest = matrix.farthest();
    out.append('\n');
    if (closest != null) {
      out.append("- closest: ").append(MarkdownText.code(closest.name())).append('\n');
    }
    if (farthest != null) {
      out.append("- farthest: ").append(MarkdownText.code(farthest.name())).append('\n');
    }
    if (closest == null && matrix.comparisons().size() > 1) {
      out.append("- note: ").append(MatrixText.unranked(matrix)).append('\n');
    }
    return out.toString();
  }

  private String render() throws IOException {
    String verdict = result.verdict().id();
    out.append("**%s%s** · %s\n\n"
        .formatted(
            verdict.substring(0, 1).toUpperCase(Locale.ROOT),
            verdict.substring(1),
            Stream.of(result.report().conclusion().split("(?<=\\.) "))
                .map(MarkdownText::code)
                .collect(Collectors.joining(" "))));
    item("session", MarkdownText.code(SessionWording.title(result)));
    item("record", MarkdownText.code(result.original().id()));
    List<InputDifference> inputs = result.inputs();
    inputs.stream()
        .limit(MAX_INPUTS)
        .forEach(input -> item("input", MarkdownText.code(input.message())));
    if (inputs.size() > MAX_INPUTS) {
      item("input", "%d more, not listed".formatted(inputs.size() - MAX_INPUTS));
    }
    String failure = result.failure();
    item(
        "incomplete",
        failure == null ? "" : MarkdownText.code(failure.lines().findFirst().orElse(failure)));
    if (result.report().mode() == Mode.TRACE) {
      trace();
    } else {
      compared();
    }
    return out.toString();
  }

  private void item(String label, String text) {
    if (!text.isEmpty()) {
      out.append("- ").append(label).append(": ").append(text).append('\n');
    }
  }

  private void compared() {
    DivergenceTally tally = DivergenceTally.of(result);
    out.append("- Rounds completed: ").append(SessionWording.rounds(result)).append('\n');
    out.append("- Message count match: ")
        .append(SessionWording.messages(result))
        .append('\n');
    out.append("- Session similarity: ")
        .append(SessionWording.percent(result.report().similarity().percentage()))
        .append('\n');
    out.append("- Final artifact similarity: ")
        .append(SessionWording.artifact(result))
        .append('\n');
    item("divergences", SessionWording.divergences(tally));
    item("not reached", SessionWording.notReplayed(result));
    item("decided", SessionWording.measures(result));
    item("thresholds", SessionWording.thresholds(result));
    if (result.report().mode() == Mode.COMPARISON) {
      for (RosterChange change : SessionDeltas.of(result).rosterChanges()) {
        item("roster", MarkdownText.code(SessionWording.change(change)));
      }
    }
    List<MessagePair> divergent = SessionWording.divergent(result);
    if (!divergent.isEmpty()) {
      table(divergent);
      details(divergent);
    }
  }

  private void table(List<MessagePair> divergent) {
    out.append(
        """

        | round | message | agent | type | divergence | semantic match |
        |--:|--:|---|---|---|---|
        """);
    for (MessagePair pair : divergent.subList(0, Math.min(MAX_ROWS, divergent.size()))) {
      MessageDivergence divergence = Objects.requireNonNull(pair.divergence());
      out.append("| %d | %d%s | %s | %s | %s | %s |\n"
          .formatted(
              pair.any().round(),
              pair.any().index(),
              pair.original() == null ? " (replay)" : "",
              MarkdownText.cell(pair.any().message().from()),
              pair.any().message().type().id(),
              SessionWording.kind(divergence),
              SessionWording.semanticMatch(divergence)));
    }
    if (divergent.size() > MAX_ROWS) {
      out.append("\n%s not listed\n"
          .formatted(PlainText.count(divergent.size() - MAX_ROWS, "more divergence")));
    }
  }

  private void details(List<MessagePair> divergent) {
    int shown = 0;
    for (MessagePair pair : divergent) {
      String block = block(pair, Objects.requireNonNull(pair.divergence()));
      if (out.length() + block.length() + RESERVE > MarkdownReport.MAX_LENGTH) {
        out.append("\n%,d of %s shown: a report has at most %,d characters.\n"
            .formatted(
                shown, PlainText.count(divergent.size(), "divergence"), MarkdownReport.MAX_LENGTH));
        return;
      }
      out.append(block);
      shown++;
    }
  }

  private String block(MessagePair pair, MessageDivergence divergence) {
    String role = SessionWording.role(result, pair);
    // a summary is HTML and must not contain recorded text
    return "\n<details><summary>Round %d, Message %d%s%s: %s</summary>\n\n%s\n</details>\n"
        .formatted(
            pair.any().round(),
            pair.any().index(),
            pair.original() == null ? " of the replay" : "",
            role.isEmpty() ? "" : " (" + role + ")",
            SessionWording.kind(divergence),
            MarkdownText.fence(List.of(
                "- " + SessionWording.summary(divergence, true),
                "+ " + SessionWording.summary(divergence, false),
                "  Semantic match: " + SessionWording.semanticMatch(divergence),
                "  Decided by: " + SessionWording.explanation(divergence))));
  }

  /** The messages of a trace that cannot be shown. */
  private void trace() throws IOException {
    long shown = 0;
    for (MessagePair pair : result.alignment()) {
      StoredText stored = StoredText.of(pair.any().message(), result.originalTexts());
      if (stored.text() != null) {
        continue;
      }
      out.append(shown == 0 ? "\n| round | message | agent | problem |\n|--:|--:|---|---|\n" : "");
      shown++;
      if (shown <= MAX_ROWS) {
        out.append("| %d | %d | %s | %s |\n"
            .formatted(
                pair.any().round(),
                pair.any().index(),
                MarkdownText.cell(pair.any().message().from()),
                stored.problem()));
      }
    }
    if (shown > MAX_ROWS) {
      out.append("\n%s not listed\n".formatted(PlainText.count(shown - MAX_ROWS, "more message")));
    }
  }
}
