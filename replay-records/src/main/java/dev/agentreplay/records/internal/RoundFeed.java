package dev.agentreplay.records.internal;

import dev.agentreplay.io.context.ContextClock;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.OnInterventions;
import dev.agentreplay.records.agents.RoundContext;
import dev.agentreplay.records.agents.RoundContext.Turn;
import dev.agentreplay.records.agents.SentMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages and interventions that agents are given in the rounds of a replay, in order, each
 * once.
 */
final class RoundFeed {

  private final LiveOptions options;
  private final TextLookup texts;
  private final InputMessages rule;
  private final RunningRoster roster;
  private final long seed;

  /** The messages that the agents are given in the next round that runs. */
  private final List<SentMessage> pending = new ArrayList<>();

  /** The interventions that were not given yet, in the order of the record. */
  private final List<OperatorIntervention> interventions;

  /** Creates the feed of a replay. */
  RoundFeed(LiveOptions options, InputMessages rule) {
    this.options = options;
    this.texts = new TextLookup(options.texts());
    this.rule = rule;
    this.roster = options.roster();
    this.seed = options.seed() == null ? ContextOptions.DEFAULT_SEED : options.seed();
    this.interventions = options.onInterventions() == OnInterventions.REAPPLY
        ? new ArrayList<>(options.record().trace().interventions())
        : new ArrayList<>();
  }

  /**
   * Adds the recorded messages of a round that does not run.
   *
   * @throws IOException if a text cannot be read
   */
  void skip(Round round) throws IOException {
    for (TraceMessage message : round.messages()) {
      pending.add(recorded(message));
    }
  }

  /** Adds what the agents of the replay sent in a round, if they run free. */
  void sent(List<TraceMessage> messages, List<SentMessage> texts) {
    if (options.feed() == Feed.REPLAYED) {
      List<SentMessage> sent = new ArrayList<>();
      for (int i = 0; i < messages.size(); i++) {
        sent.add(given(messages.get(i), texts.get(i).text()));
      }
      pending.addAll(0, sent); // the inputs after them are there already
    }
  }

  /**
   * Returns the context of the agents in the next round that runs.
   *
   * @param next the recorded round after it; null if it is the last one
   * @throws IOException if a text cannot be read
   */
  RoundContext context(Round round, @Nullable Round next) throws IOException {
    List<SentMessage> given = new ArrayList<>(pending);
    pending.clear();
    List<Turn> turns = new ArrayList<>();
    List<TraceMessage> messages = round.messages();
    int end = rule.endOfTurns(messages);
    for (int i = 0; i < messages.size(); i++) {
      TraceMessage message = messages.get(i);
      boolean isInput = rule.isInput(message);
      if (options.feed() == Feed.REPLAYED) {
        if (isInput) {
          (i < end ? given : pending).add(recorded(message));
        }
        continue;
      }
      AgentRosterEntry agent = isInput ? null : roster.inPlaceOf(message.from());
      if (agent != null) {
        turns.add(new Turn(agent, message.type(), pending));
        pending.clear();
      }
      pending.add(recorded(message));
    }
    return new LiveContext(
        options.record().sessionId(),
        options.inputs(),
        round.roundNumber(),
        options.feed(),
        given,
        turns,
        interventionsBefore(end(round, next)),
        seed,
        context(round));
  }

  private List<OperatorIntervention> interventionsBefore(Instant end) {
    List<OperatorIntervention> before = interventions.stream()
        .filter(intervention -> intervention.timestamp().instant().isBefore(end))
        .toList();
    interventions.removeAll(before);
    return before;
  }

  /** The end of a recorded round, or the closest time to it that is recorded. */
  private Instant end(Round round, @Nullable Round next) {
    if (round.endedAt() != null) {
      return round.endedAt().instant();
    } else if (round.durationMillis() != null) {
      return round.startedAt().instant().plusMillis(round.durationMillis());
    } else if (next != null) {
      return next.startedAt().instant();
    }
    return Instant.MAX;
  }

  /** A context that starts at the recorded time, and differs from those of other rounds. */
  private DeterministicContext context(Round round) {
    String name = seed + "/" + round.roundNumber();
    String digest =
        ContentHash.sha256(name.getBytes(StandardCharsets.UTF_8)).hex().substring(0, 16);
    return DeterministicContext.of(ContextOptions.defaults()
        .withSeed(Long.parseUnsignedLong(digest, 16))
        .withClock(ContextClock.stepped(round.startedAt().instant(), Duration.ofSeconds(1))));
  }

  private SentMessage recorded(TraceMessage message) throws IOException {
    return given(message, texts.text(message.contentHash()));
  }

  private static SentMessage given(TraceMessage message, @Nullable String text) {
    return new SentMessage(
        message.from(), message.type(), message.subject(), text, message.timestamp());
  }
}
