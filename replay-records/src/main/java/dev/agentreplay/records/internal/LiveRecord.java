package dev.agentreplay.records.internal;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.InterventionSummary;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.RoundContext;
import dev.agentreplay.records.agents.RoundMessages;
import dev.agentreplay.records.store.RecordTexts;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * The record of a replay whose agents run, with times of the replay: inputs and interventions have
 * the time at which the agents were given them. Its outputs have no counts and no lint result,
 * because nothing computes them from an artifact.
 */
final class LiveRecord {

  private final InstantSource clock;
  private final SessionRecord empty;
  private final List<Round> rounds = new ArrayList<>();
  private final List<OperatorIntervention> interventions = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();
  private long messages;

  LiveRecord(String sessionId, SessionInputs inputs, InstantSource clock) {
    this.clock = clock;
    this.empty = SessionRecord.createEmpty(sessionId, now(clock)).withInputs(inputs);
  }

  private static RecordTime now(InstantSource clock) {
    return RecordTime.of(clock.instant().truncatedTo(ChronoUnit.MILLIS));
  }

  /** The present time of the replay, in milliseconds. */
  RecordTime now() {
    return now(clock);
  }

  /** The number of rounds. */
  long completed() {
    return rounds.size();
  }

  /** The number of messages of agents. */
  long messages() {
    return messages;
  }

  /**
   * Adds a round that has ended.
   *
   * @param recorded the round that was replayed
   * @param rule the rule for its inputs
   * @param context the context of the agents
   * @param start the time at which it started
   * @param sent the messages and the artifact of the agents, as sent
   * @param checked the same messages for the record
   */
  void add(
      Round recorded,
      InputMessages rule,
      RoundContext context,
      RecordTime start,
      RoundMessages sent,
      List<TraceMessage> checked) {
    sent.messages().forEach(message -> {
      if (message.text() != null) {
        texts.add(message.text());
      }
    });
    String artifact = sent.artifact();
    if (artifact != null) {
      texts.add(artifact);
    }
    messages += checked.size();
    context.interventions().forEach(intervention -> interventions.add(at(start, intervention)));
    RecordTime end = now();
    long millis = Math.max(0, Duration.between(start.instant(), end.instant()).toMillis());
    rounds.add(Round.of(
            recorded.roundNumber(), start, merged(recorded, rule, context.feed(), start, checked))
        .withEndedAt(end)
        .withDurationMillis(millis)
        .withCompiledArtifactHash(artifact == null ? null : RecordHash.ofContent(artifact)));
  }

  /**
   * The inputs and the messages of agents, in the order in which agents are given them: an input
   * follows as many messages of agents as it followed in the recording. If the agents run free,
   * their messages are between the inputs that they are given in the round and those after it.
   */
  private static List<TraceMessage> merged(
      Round recorded,
      InputMessages rule,
      Feed feed,
      RecordTime start,
      List<TraceMessage> ofAgents) {
    List<TraceMessage> merged = new ArrayList<>();
    int next = 0;
    int end = rule.endOfTurns(recorded.messages());
    for (int i = 0; i < recorded.messages().size(); i++) {
      TraceMessage message = recorded.messages().get(i);
      if (feed == Feed.REPLAYED && i == end) {
        merged.addAll(ofAgents);
        next = ofAgents.size();
      }
      if (rule.isInput(message)) {
        merged.add(at(start, message));
      } else if (feed == Feed.RECORDED && next < ofAgents.size()) {
        merged.add(ofAgents.get(next++));
      }
    }
    merged.addAll(ofAgents.subList(next, ofAgents.size()));
    return merged;
  }

  private static TraceMessage at(RecordTime time, TraceMessage input) {
    return new TraceMessage(
        input.messageId(),
        time,
        input.from(),
        input.type(),
        input.contentHash(),
        input.contentLength(),
        input.subject(),
        input.acknowledged(),
        input.extra());
  }

  private static OperatorIntervention at(RecordTime time, OperatorIntervention intervention) {
    return new OperatorIntervention(
        intervention.id(),
        intervention.sessionId(),
        time,
        intervention.operatorId(),
        intervention.type(),
        intervention.severity(),
        intervention.target(),
        intervention.stateChange(),
        intervention.rationale(),
        intervention.reversal(),
        intervention.extra());
  }

  /** The record, with the rounds so far. */
  SessionRecord record() {
    RecordTime start = empty.trace().startedAt();
    RecordTime end = now();
    RecordHash artifact = RecordHash.NONE;
    for (Round round : rounds) {
      artifact = round.compiledArtifactHash() == null ? artifact : round.compiledArtifactHash();
    }
    SessionTrace trace = new SessionTrace(
        rounds,
        interventions,
        InterventionSummary.of(interventions),
        Math.max(0, Duration.between(start.instant(), end.instant()).toMillis()),
        start,
        end,
        JsonObject.EMPTY);
    return empty.withTrace(trace).withOutputs(empty.outputs().withFinalArtifactHash(artifact));
  }

  /** The texts of the agents, and the recorded ones of the inputs, except for altered ones. */
  RecordTexts texts(RecordTexts recorded) {
    return RecordTexts.of(texts).or(new TextLookup(recorded)::text);
  }
}
