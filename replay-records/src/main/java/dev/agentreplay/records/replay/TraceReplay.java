package dev.agentreplay.records.replay;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.RecordReplayReport.Progress;
import dev.agentreplay.records.RecordReplayReport.Similarity;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.internal.InputMessages;
import dev.agentreplay.records.internal.TextLookup;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Steps through a record, and checks its texts. */
final class TraceReplay {

  private TraceReplay() {}

  /**
   * Returns the result of a trace.
   *
   * @throws IOException if a text cannot be read
   */
  static SessionReplayResult of(SessionReplay replay) throws IOException {
    SessionRecord record = replay.record;
    List<MessagePair> pairs = new ArrayList<>();
    LaneMessage.byRound(
            record,
            InputMessages.of(record),
            Lanes.byAgent(record.inputs().agentRoster()),
            TextKeys.ofHashes(),
            replay.firstRound,
            replay.lastRound)
        .values()
        .forEach(messages -> messages.forEach(message ->
            pairs.add(new MessagePair(message.placed(), null, message.isInput(), null))));
    TextLookup texts = new TextLookup(replay.texts);
    Map<TextLookup.State, Long> states = new EnumMap<>(TextLookup.State.class);
    for (MessagePair pair : pairs) {
      states.merge(texts.state(pair.any().message().contentHash()), 1L, Long::sum);
    }
    long matched = states.getOrDefault(TextLookup.State.MATCHED, 0L);
    long missing = states.getOrDefault(TextLookup.State.MISSING, 0L);
    long altered = states.getOrDefault(TextLookup.State.ALTERED, 0L);
    List<InputDifference> inputs = InputCheck.texts(record, replay.texts, "");
    SessionReplayVerdict verdict = !inputs.isEmpty()
        ? SessionReplayVerdict.DIVERGED
        : missing > 0 ? SessionReplayVerdict.UNDECIDED : SessionReplayVerdict.MATCHED;
    double share = pairs.isEmpty() ? 100 : Math.floor(10_000.0 * matched / pairs.size()) / 100;
    long rounds = ReplayReportBuilder.rounds(record, replay);
    RecordReplayReport report = new RecordReplayReport(
        record.sessionId(),
        Mode.TRACE,
        RecordTime.of(replay.clock.instant().truncatedTo(ChronoUnit.MILLIS)),
        record.inputs().agentRoster(),
        verdict == SessionReplayVerdict.MATCHED,
        new Similarity(share, share),
        new Progress(rounds, rounds, matched, pairs.size()),
        List.of(),
        conclusion(pairs.size(), matched, missing, altered) + artifacts(inputs.size() - altered),
        JsonObject.of(
            "schema",
            "replay.session-replay/1",
            "verdict",
            verdict.id(),
            "texts",
            JsonObject.of("matched", matched, "missing", missing, "altered", altered),
            "inputs",
            InputDifference.json(inputs)));
    return new SessionReplayResult(
        verdict,
        report,
        record,
        replay.texts,
        null,
        RecordTexts.none(),
        pairs,
        inputs,
        Map.of(),
        null,
        false);
  }

  /** Names altered texts that are not those of the messages. */
  private static String artifacts(long altered) {
    return altered > 0
        ? " %s altered that no message shown has."
            .formatted(PlainText.count(altered, "more text") + (altered == 1 ? " was" : " were"))
        : "";
  }

  private static String conclusion(int all, long matched, long missing, long altered) {
    String texts = missing + altered == 0
        ? "all %s match their hashes".formatted(PlainText.count(all, "text"))
        : "%d of %s match their hashes, %s, %s"
            .formatted(
                matched,
                PlainText.count(all, "text"),
                missing == 1 ? "1 is missing" : missing + " are missing",
                altered == 1 ? "1 was altered" : altered + " were altered");
    return "Nothing was replayed: this is the recorded session; " + texts + ".";
  }
}
