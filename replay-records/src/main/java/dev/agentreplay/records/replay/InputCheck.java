package dev.agentreplay.records.replay;

import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.InterventionSummary;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.OnInterventions;
import dev.agentreplay.records.internal.InputMessages;
import dev.agentreplay.records.internal.TextLookup;
import dev.agentreplay.records.replay.MessagePair.Placed;
import dev.agentreplay.records.replay.SessionReplayRefusedException.Reason;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks the inputs of a replay before anything runs. */
final class InputCheck {

  private final SessionReplay replay;
  private final SessionRecord record;
  private final List<InputDifference> differences = new ArrayList<>();

  private InputCheck(SessionReplay replay) {
    this.replay = replay;
    this.record = replay.record;
  }

  /**
   * Returns the differences of the inputs, and what cannot be repeated.
   *
   * @param present the inputs of the replay
   * @throws SessionReplayRefusedException if the record is not replayed
   * @throws IOException if a text cannot be read
   */
  static List<InputDifference> check(SessionReplay replay, SessionInputs present)
      throws IOException {
    InputCheck check = new InputCheck(replay);
    check.requireReplayable();
    check.compare(present);
    check.interventions();
    check.differences.addAll(texts(replay.record, replay.texts, ""));
    SessionRecord other = replay.against;
    if (other != null) {
      check.messages(other);
      check.differences.addAll(texts(other, replay.othersTexts, "replayed."));
    }
    check.refuse();
    return check.differences;
  }

  private void requireReplayable() throws SessionReplayRefusedException {
    if (!record.isReplayable() && !replay.isForced) {
      throw new SessionReplayRefusedException(
          Reason.NOT_REPLAYABLE,
          "%s: not replayable: %s"
              .formatted(record.id(), String.join("; ", record.replayObstacles())),
          List.of());
    }
  }

  private void compare(SessionInputs present) {
    differences.addAll(InputComparison.between(record.inputs(), present, replay.roster == null));
  }

  /**
   * Compares the texts of kickoffs and of other messages of operators in the rounds that both
   * sessions have. Messages on a session itself and acknowledgements are not compared.
   */
  private void messages(SessionRecord other) {
    Map<Long, List<Placed>> recorded = operators(record, InputMessages.of(record));
    Map<Long, List<Placed>> present = operators(other, InputMessages.ofReplay(other, record));
    recorded.keySet().retainAll(numbers(other));
    present.keySet().retainAll(numbers(record));
    Set<Long> rounds = new TreeSet<>(recorded.keySet());
    rounds.addAll(present.keySet());
    for (long round : rounds) {
      List<Placed> left = recorded.getOrDefault(round, List.of());
      List<Placed> right = present.getOrDefault(round, List.of());
      for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
        Placed before = i < left.size() ? left.get(i) : null;
        Placed after = i < right.size() ? right.get(i) : null;
        String hash = before == null ? null : before.message().contentHash().text();
        String now = after == null ? null : after.message().contentHash().text();
        if (!Objects.equals(hash, now)) {
          Placed any = before == null ? Objects.requireNonNull(after) : before;
          differences.add(InputDifference.of(
              "round %d, %s of %s"
                  .formatted(
                      round, any.message().type(), Excerpt.of(any.message().from())),
              hash,
              now));
        }
      }
    }
  }

  private Map<Long, List<Placed>> operators(SessionRecord session, InputMessages inputs) {
    Map<Long, List<Placed>> placed = new TreeMap<>();
    LaneMessage.byRound(
            session,
            inputs,
            Lanes.byAgent(List.of()),
            TextKeys.ofHashes(),
            replay.firstRound,
            replay.lastRound)
        .forEach((round, messages) -> placed.put(
            round,
            messages.stream()
                .filter(LaneMessage::isInput)
                .filter(message -> message.type() != TraceMessage.Type.ADMIN)
                .filter(message -> message.type() != TraceMessage.Type.ACK)
                .map(LaneMessage::placed)
                .toList()));
    return placed;
  }

  private static Set<Long> numbers(SessionRecord session) {
    return session.trace().rounds().stream()
        .map(SessionTrace.Round::roundNumber)
        .collect(Collectors.toSet());
  }

  private void interventions() {
    InterventionSummary recorded = InterventionSummary.of(record.trace().interventions());
    SessionRecord other = replay.against;
    long ofOther = other == null ? 0 : other.trace().interventions().size();
    if (recorded.totalCount() == 0 && ofOther == 0) {
      return;
    }
    long grave = recorded.bySeverity().major() + recorded.bySeverity().critical();
    String message = "%s, %d major or critical"
        .formatted(PlainText.count(recorded.totalCount(), "intervention"), grave);
    if (other != null) {
      if (Objects.equals(record.trace().interventions(), other.trace().interventions())) {
        return;
      }
      message += "; %d in the replay".formatted(ofOther);
    } else if (replay.onInterventions == OnInterventions.SKIP) {
      message += "; the agents are not given them";
    } else {
      message += "; the agents are given them, and no operator makes them again";
    }
    differences.add(new InputDifference(
        "trace.interventions",
        Long.toString(recorded.totalCount()),
        other == null ? null : Long.toString(ofOther),
        "trace.interventions: " + message));
  }

  /**
   * Returns the altered texts of a session: those of its messages and artifacts.
   *
   * @param prefix the text before the path of a member, for messages
   * @throws IOException if a text cannot be read
   */
  static List<InputDifference> texts(SessionRecord record, RecordTexts texts, String prefix)
      throws IOException {
    Map<String, RecordHash> hashes = new LinkedHashMap<>();
    List<SessionTrace.Round> rounds = record.trace().rounds();
    for (int r = 0; r < rounds.size(); r++) {
      List<TraceMessage> messages = rounds.get(r).messages();
      for (int m = 0; m < messages.size(); m++) {
        hashes.put(
            "trace.rounds[%d].messages[%d].content_hash".formatted(r, m),
            messages.get(m).contentHash());
      }
      RecordHash artifact = rounds.get(r).compiledArtifactHash();
      if (artifact != null) {
        hashes.put("trace.rounds[%d].compiled_artifact_hash".formatted(r), artifact);
      }
    }
    hashes.put("outputs.final_artifact_hash", record.outputs().finalArtifactHash());
    TextLookup lookup = new TextLookup(texts);
    List<InputDifference> altered = new ArrayList<>();
    for (Map.Entry<String, RecordHash> member : hashes.entrySet()) {
      if (lookup.state(member.getValue()) == TextLookup.State.ALTERED) {
        String name = prefix + member.getKey();
        altered.add(new InputDifference(
            name,
            member.getValue().text(),
            null,
            name + ": the text was altered, and is not used"));
      }
    }
    return altered;
  }

  private void refuse() throws IOException {
    if (replay.onInterventions == OnInterventions.REFUSE
        && !record.trace().interventions().isEmpty()) {
      throw refused(
          Reason.INTERVENTIONS,
          PlainText.count(record.trace().interventions().size(), "intervention")
              + " in the recorded session");
    }
    if (replay.onInputs == OnInputs.REFUSE && !differences.isEmpty()) {
      throw refused(
          Reason.INPUTS,
          "the inputs differ: "
              + String.join(
                  "; ", differences.stream().map(InputDifference::message).toList()));
    }
    if (replay.agents != null && !replay.isForced) {
      requireTexts();
    }
  }

  /** Fails if the agents cannot be given all messages of their feed. */
  private void requireTexts() throws IOException {
    InputMessages inputs = InputMessages.of(record);
    TextLookup lookup = new TextLookup(replay.texts);
    int missing = 0;
    for (SessionTrace.Round round : record.trace().rounds()) {
      for (TraceMessage message : round.messages()) {
        boolean isGiven = round.roundNumber() <= replay.lastRound
            && (replay.feed == Feed.RECORDED
                || round.roundNumber() < replay.firstRound
                || inputs.isInput(message));
        missing += isGiven && lookup.text(message.contentHash()) == null ? 1 : 0;
      }
    }
    if (missing > 0) {
      throw refused(
          Reason.TEXTS,
          "the agents are to be given the recorded messages, and the texts of %d are missing"
              .formatted(missing));
    }
  }

  private SessionReplayRefusedException refused(Reason reason, String message) {
    return new SessionReplayRefusedException(
        reason, "%s: not replayed: %s".formatted(record.id(), message), differences);
  }
}
