package dev.agentreplay.records.report;

import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.replay.InputDifference;
import dev.agentreplay.records.replay.MessageDivergence;
import dev.agentreplay.records.replay.MessagePair;
import dev.agentreplay.records.replay.MessagePair.Placed;
import dev.agentreplay.records.replay.SessionReplayResult;
import dev.agentreplay.records.report.ReportLines.Color;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renders the messages of a session by round, with their texts. */
final class TraceText {

  private static final String INDENT = "      ";
  private static final int MAX_LINES = 12;

  private final SessionReplayResult result;
  private final TextOptions options;
  private final ReportLines lines;

  TraceText(SessionReplayResult result, TextOptions options) {
    this.result = result;
    this.options = options;
    this.lines = new ReportLines(options);
  }

  String render() throws IOException {
    ComparedText.headline(result, lines);
    lines.labelled("session", SessionWording.title(result));
    lines.labelled("record", result.original().id());
    for (InputDifference input : result.inputs()) {
      lines.labelled("altered", input.message());
    }
    long round = -1;
    for (MessagePair pair : result.alignment()) {
      if (pair.any().round() != round) {
        round = pair.any().round();
        heading(round);
      } else {
        lines.end();
      }
      lines.append(new TraceText(result, options).message(pair));
    }
    String next = SessionWording.next(result);
    if (next != null) {
      lines.end().labelled("next", next);
    }
    return lines.toString();
  }

  private void heading(long number) {
    lines.end().add(Color.BOLD, "Round " + number);
    for (SessionTrace.Round round : result.original().trace().rounds()) {
      if (round.roundNumber() == number) {
        Long millis = round.durationMillis();
        lines.add(Color.DIM, "  " + round.startedAt());
        lines.add(Color.DIM, millis == null ? "" : ", " + SessionWording.duration(millis));
        break;
      }
    }
    lines.end();
  }

  /** A message with its text. */
  String message(MessagePair pair) throws IOException {
    Placed placed = pair.any();
    TraceMessage message = placed.message();
    String role = SessionWording.role(result, pair);
    String subject = message.subject();
    lines
        .add(Color.BOLD, "%4d  ".formatted(placed.index()))
        .add(Color.DIM, message.timestamp() + "  ")
        .add(Color.NAME, SessionWording.name(message.from()))
        .add(role.isEmpty() ? "" : " (" + role + ")")
        .add("  " + message.type().id())
        .add(pair.isInput() ? "  input" : "")
        .end();
    if (subject != null) {
      lines.wrapped(INDENT, subject);
    }
    Placed original = pair.original();
    Placed replayed = pair.replayed();
    MessageDivergence divergence = pair.divergence();
    if (divergence == null || original == null || replayed == null) {
      text(message, original == null ? result.replayedTexts() : result.originalTexts());
    } else {
      lines.add(INDENT + "Original:").end();
      text(message, result.originalTexts());
      lines.add(INDENT + "Replay:").end();
      text(replayed.message(), result.replayedTexts());
    }
    if (divergence != null) {
      lines
          .add(INDENT + "Semantic match: " + SessionWording.semanticMatch(divergence))
          .end();
      lines.wrapped(INDENT + "Decided by: ", SessionWording.explanation(divergence));
    }
    return lines.toString();
  }

  private void text(TraceMessage message, RecordTexts texts) throws IOException {
    StoredText stored = StoredText.of(message, texts);
    @Nullable String text = stored.text();
    if (text == null) {
      lines.add(INDENT).add(Color.MAJOR, stored.problem()).end();
      return;
    }
    List<String> all = text.stripTrailing().lines().toList();
    int most = options.full() ? all.size() : Math.min(all.size(), MAX_LINES);
    all.subList(0, most).forEach(line -> lines.wrapped(INDENT, line));
    if (most < all.size()) {
      lines
          .add(Color.DIM, INDENT + "… " + PlainText.count(all.size() - most, "more line"))
          .end();
    }
  }
}
