package dev.agentreplay.engine.diff;

import java.io.IOException;

/**
 * A log without events, or two that end where their sessions start: nothing was recorded that could
 * be compared, so that they are not identical either.
 */
public final class NothingRecordedException extends IOException {

  private static final long serialVersionUID = 1L;

  NothingRecordedException(ComparedSession session) {
    super(session.name()
        + (session.events() == 0
            ? ": expected a log, found no events"
            : ": expected what a session did, found no event after its start in either log"));
  }
}
