package dev.agentreplay.records.report;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.report.Conversation;
import dev.agentreplay.engine.report.Conversation.Absent;
import dev.agentreplay.engine.report.Conversation.Body;
import dev.agentreplay.engine.report.Conversation.Fact;
import dev.agentreplay.engine.report.Conversation.Message;
import dev.agentreplay.engine.report.Conversation.Round;
import dev.agentreplay.engine.report.Conversation.Row;
import dev.agentreplay.engine.report.Conversation.Text;
import dev.agentreplay.engine.report.Conversation.Tone;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.replay.DivergenceTally;
import dev.agentreplay.records.replay.InputDifference;
import dev.agentreplay.records.replay.MessageDivergence;
import dev.agentreplay.records.replay.MessagePair;
import dev.agentreplay.records.replay.MessagePair.Placed;
import dev.agentreplay.records.replay.RosterChange;
import dev.agentreplay.records.replay.SessionDeltas;
import dev.agentreplay.records.replay.SessionReplayResult;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders the replay of a session record as a page of {@link HtmlViewer}: one self-contained file,
 * in which a reader steps through the messages. Of a verification or comparison it shows the
 * recorded and the replayed messages side by side, with the differences of their texts marked; of a
 * trace the recorded ones.
 *
 * <p>A text that was altered is not shown. The page contains the recorded texts, which may be
 * confidential: check it before publishing.
 */
public final class SessionReplayPage {

  private static final int HASH = 12;

  private final SessionReplayResult result;
  private final boolean isTrace;

  private SessionReplayPage(SessionReplayResult result) {
    this.result = Objects.requireNonNull(result, "result");
    this.isTrace = result.report().mode() == Mode.TRACE;
  }

  /**
   * Writes the page of a replay. The stream is flushed but not closed.
   *
   * @throws IOException if a text cannot be read, or the stream cannot be written
   */
  public static void render(SessionReplayResult result, OutputStream out) throws IOException {
    HtmlViewer.render(conversation(result), out);
  }

  /** The messages of a replay as a page shows them. */
  static Conversation conversation(SessionReplayResult result) throws IOException {
    return new SessionReplayPage(result).conversation();
  }

  private Conversation conversation() throws IOException {
    Conversation.Builder page = Conversation.titled(capitalized(SessionWording.title(result)));
    page.headline(tone(), capitalized(result.verdict().id()), result.report().conclusion());
    figures(page);
    notices(page);
    facts(page);
    if (!isTrace) {
      page.sides("recorded", "replay");
    }
    Map<Long, List<Row>> rows = new TreeMap<>();
    for (SessionTrace.Round round : result.original().trace().rounds()) {
      rows.putIfAbsent(round.roundNumber(), new ArrayList<>());
    }
    for (MessagePair pair : result.alignment()) {
      rows.computeIfAbsent(pair.any().round(), none -> new ArrayList<>()).add(row(pair));
    }
    rows.forEach((number, some) ->
        page.round(new Round(number, "Round " + number, roundFacts(number), some)));
    return page.build();
  }

  private Tone tone() {
    return switch (result.verdict()) {
      case MATCHED -> Tone.GOOD;
      case DIVERGED -> isTrace ? Tone.BAD : Tone.DIVERGED;
      case UNDECIDED, INCOMPLETE -> Tone.BAD;
    };
  }

  private void figures(Conversation.Builder page) {
    if (isTrace) {
      page.figure("texts matched", SessionWording.messages(result));
      return;
    }
    double similarity = result.report().similarity().percentage();
    page.figure("similarity", SessionWording.percent(similarity));
    page.figure("messages matched", SessionWording.messages(result));
    page.figure("rounds", SessionWording.rounds(result));
    double artifact = result.report().similarity().artifact();
    page.figure("artifact", result.isArtifactCompared() ? SessionWording.percent(artifact) : "?");
  }

  private void notices(Conversation.Builder page) {
    for (InputDifference input : result.inputs()) {
      page.notice(input.message());
    }
    String failure = result.failure();
    if (failure != null) {
      page.notice("Incomplete: " + failure);
    }
    if (!isTrace && !result.isArtifactCompared()) {
      page.notice(
          "The final artifacts are not compared: their hashes differ, and a text is missing.");
    }
  }

  private void facts(Conversation.Builder page) {
    SessionRecord original = result.original();
    page.fact("mode", result.report().mode().id());
    page.fact("record", original.id());
    page.fact("recorded at", original.createdAt().text());
    page.fact(isTrace ? "shown at" : "replayed at", result.report().replayedAt().text());
    if (!isTrace) {
      page.fact("divergences", SessionWording.divergences(DivergenceTally.of(result)));
      page.fact("decided", SessionWording.measures(result));
      page.fact("thresholds", SessionWording.thresholds(result));
    }
    String question = original.inputs().kickoff().question();
    if (question != null) {
      page.fact("question", question);
    }
    if (result.report().mode() == Mode.COMPARISON) {
      for (RosterChange change : SessionDeltas.of(result).rosterChanges()) {
        page.fact("roster", SessionWording.change(change));
      }
    }
  }

  private List<Fact> roundFacts(long number) {
    List<Fact> facts = new ArrayList<>();
    facts(number, result.original(), "", facts);
    SessionRecord replayed = result.replayed();
    if (replayed != null) {
      facts(number, replayed, " of the replay", facts);
    }
    return facts;
  }

  private static void facts(long number, SessionRecord record, String of, List<Fact> facts) {
    for (SessionTrace.Round round : record.trace().rounds()) {
      if (round.roundNumber() != number) {
        continue;
      }
      if (of.isEmpty()) {
        facts.add(new Fact("started", round.startedAt().text()));
      }
      Long millis = round.durationMillis();
      if (millis != null) {
        facts.add(new Fact("duration" + of, SessionWording.duration(millis)));
      }
      RecordHash artifact = round.compiledArtifactHash();
      if (artifact != null && !artifact.isEmpty()) {
        String hash = artifact.text();
        facts.add(
            new Fact("artifact" + of, hash.length() > HASH ? hash.substring(0, HASH) + "…" : hash));
      }
      return;
    }
  }

  private Row row(MessagePair pair) throws IOException {
    Message left = message(
        pair.original(), result.originalTexts(), result.original().inputs().agentRoster());
    Message right =
        message(pair.replayed(), result.replayedTexts(), result.report().roster());
    MessageDivergence divergence = pair.divergence();
    if (divergence != null) {
      DivergenceSeverity severity =
          DivergenceSeverity.valueOf(divergence.reported().severity().name());
      String explanation = capitalized(SessionWording.explanation(divergence));
      return new Row(
          left, right, false, severity, SessionWording.kind(divergence), List.of(explanation));
    }
    if (isTrace) {
      return traced(pair, Objects.requireNonNull(left, "left"));
    }
    return new Row(
        left, right, pair.isInput(), null, pair.isInput() ? "input" : "matched", List.of());
  }

  /** A message of a trace, to which a reader can jump if its text is not as recorded. */
  private Row traced(MessagePair pair, Message message) throws IOException {
    StoredText stored = StoredText.of(pair.any().message(), result.originalTexts());
    if (stored.text() != null) {
      return new Row(message, null, pair.isInput(), null, pair.isInput() ? "input" : "", List.of());
    }
    return new Row(
        message,
        null,
        pair.isInput(),
        stored.isAltered() ? DivergenceSeverity.MAJOR : DivergenceSeverity.MODERATE,
        stored.isAltered() ? "altered" : "text missing",
        List.of());
  }

  private @Nullable Message message(
      @Nullable Placed placed, RecordTexts texts, List<AgentRosterEntry> roster)
      throws IOException {
    if (placed == null) {
      return null;
    }
    TraceMessage message = placed.message();
    StoredText stored = StoredText.of(message, texts);
    String text = stored.text();
    Body body = text == null
        ? new Absent(stored.problem())
        : new Text(text, isTrace ? "✓ text matches its hash" : "");
    String subject = message.subject();
    return new Message(
        placed.index(),
        message.from(),
        SessionWording.role(roster, message.from()),
        message.type().id(),
        message.timestamp().text(),
        subject == null ? "" : subject,
        body);
  }

  private static String capitalized(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
