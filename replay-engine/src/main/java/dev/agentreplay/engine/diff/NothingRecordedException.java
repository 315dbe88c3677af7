package dev.agentreplay.engine.diff;

import java.io.IOException;

/**
 * Thrown when nothing was recorded that could be compared, so that the sessions cannot be called
 * identical: a log has no events, or neither log has an event after the start of its session.
 */
public final class NothingRecordedException extends IOException {

  private static final long serialVersionUID = 1L;

  NothingRecordedException(ComparedSession session) {
    super(session.name()
        + (session.events() == 0
            ? ": expected a log, found no events"
            : ": expected events to compare, found none after the session start in either log"));
  }
}
