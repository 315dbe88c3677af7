package dev.agentreplay.convert.trace.atif;

import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.UniqueIds;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state that the trajectories of one session share.
 *
 * @param ids the ids that were generated
 * @param kept the events of the session that they were exported from; null if they were not
 * @param restoredCalls the ids of the model calls that were restored so far
 */
record AtifContext(
    TraceSession session, UniqueIds ids, @Nullable KeptEvents kept, Set<String> restoredCalls) {

  AtifContext(TraceSession session, @Nullable KeptEvents kept) {
    this(session, new UniqueIds(), kept, new HashSet<>());
  }
}
