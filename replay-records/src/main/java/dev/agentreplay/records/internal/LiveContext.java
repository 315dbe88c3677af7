package dev.agentreplay.records.internal;

import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.RoundContext;
import dev.agentreplay.records.agents.SentMessage;
import java.util.List;
import java.util.Objects;

/** The context of a round that runs. Immutable but for the values that agents draw from it. */
record LiveContext(
    String sessionId,
    SessionInputs inputs,
    long roundNumber,
    Feed feed,
    List<SentMessage> given,
    List<Turn> turns,
    List<OperatorIntervention> interventions,
    long seed,
    DeterministicContext context)
    implements RoundContext {

  LiveContext {
    Objects.requireNonNull(sessionId, "sessionId");
    Objects.requireNonNull(inputs, "inputs");
    Objects.requireNonNull(feed, "feed");
    given = List.copyOf(given);
    turns = List.copyOf(turns);
    interventions = List.copyOf(interventions);
    Objects.requireNonNull(context, "context");
  }
}
