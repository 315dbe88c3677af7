package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timestamp;

/**
 * How a dialect spells what its events have in common.
 *
 * @param tagName the name of the member that says what event it is
 * @param timeName the name of the member that says when it happened
 * @param hasTime whether every event has that member, so that whoever writes the event says it; the
 *     dialect without it has no hashes either
 * @param status how a status is written
 */
record Spelling(String tagName, String timeName, boolean hasTime, FieldType<Status> status) {

  /** Adds the rows that every event has. */
  <E extends ReplayEvent> Envelope<E> envelope(Layout<E> t) {
    return envelope(t, Presence.OPTIONAL);
  }

  /** Adds the rows that every event has, with the presence of the session. */
  <E extends ReplayEvent> Envelope<E> envelope(Layout<E> t, Presence session) {
    Row<E, Timestamp> time = t.time(timeName, ReplayEvent::time);
    if (!hasTime) {
      time.additional();
      t.statesNoHashes();
    }
    return Envelope.add(t, tagName, time, session);
  }

  /** Adds the rows that every event has, with a time of another name. */
  <E extends ReplayEvent> Envelope<E> envelope(Layout<E> t, String ownTimeName, Presence session) {
    return Envelope.add(t, tagName, t.time(ownTimeName, ReplayEvent::time), session);
  }
}
