package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;

/**
 * The names and forms that a dialect uses in all of its events.
 *
 * @param tagName the name of the member with the type of the event
 * @param timeName the name of the member with the time of the event
 * @param hasTime whether the specification defines the time for every event, so that the writer
 *     states it; the dialect without times has no hashes either
 * @param requiresTime whether the specification requires the time of every event
 * @param statuses the statuses that the specification names
 */
record Spelling(
    String tagName, String timeName, boolean hasTime, boolean requiresTime, Statuses statuses) {

  /** Adds the rows that every event has, with an optional session id. */
  <E extends ReplayEvent> Envelope<E> envelope(Layout<E> t) {
    return envelope(t, Presence.OPTIONAL);
  }

  /** Adds the rows that every event has, with the presence of the session id. */
  <E extends ReplayEvent> Envelope<E> envelope(Layout<E> t, Presence session) {
    Row<E, Timestamp> time = t.time(timeName, ReplayEvent::time);
    if (!hasTime) {
      time.additional();
      t.statesNoHashes();
    }
    if (requiresTime) {
      t.requiresTime();
    }
    return Envelope.add(t, tagName, time, session);
  }

  /** Adds the rows that every event has, with a time under a different name. */
  <E extends ReplayEvent> Envelope<E> envelope(Layout<E> t, String ownTimeName, Presence session) {
    return Envelope.add(t, tagName, t.time(ownTimeName, ReplayEvent::time), session);
  }
}
