package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.model.Timestamp;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Receives the sessions that are found in a source. */
public interface TraceOutput {

  /**
   * Begins a session. The ones before it may still be open.
   *
   * @param id the id of the session in the source; null if it states none, and the name of the
   *     source is used
   * @param time the time of its first record; null if the source states none
   */
  TraceSession begin(@Nullable String id, @Nullable Timestamp time) throws IOException;

  /**
   * Ends a session before the others, whose resources are released: nothing is written to it after
   * this. A source with many sessions, one after the other, calls it for each.
   */
  void end(TraceSession session) throws IOException;

  /** Reports a fault of the source that belongs to no session. */
  void fault(SourceFault fault);
}
