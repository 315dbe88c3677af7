package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The data common to all events.
 *
 * @param time the time of the event; null lets the writer set it
 * @param sessionId the id of the session that the event belongs to; null when the event does not
 *     state it
 * @param agent the id of the agent or sub-agent whose event it is: the lane of the event; null for
 *     the main agent of the session, and when the event does not state it
 * @param parent the id of the call that started the agent; null when the event does not state it
 * @param extra members that this version does not know, or could not read; they are written back
 *     unchanged
 */
public record Meta(
    @Nullable Timestamp time,
    @Nullable String sessionId,
    @Nullable String agent,
    @Nullable String parent,
    JsonObject extra) {

  /** Meta data without time, session id, agent and additional members. */
  public static final Meta NONE = new Meta(null, null, JsonObject.EMPTY);

  /** Checks for null. */
  public Meta {
    Objects.requireNonNull(extra, "extra");
  }

  /** Creates the meta data of an event that does not state its agent. */
  public Meta(@Nullable Timestamp time, @Nullable String sessionId, JsonObject extra) {
    this(time, sessionId, null, null, extra);
  }

  /** Creates meta data with a time. */
  public static Meta at(Timestamp time) {
    return NONE.withTime(time);
  }

  /** Returns a copy with the given time. */
  public Meta withTime(@Nullable Timestamp newTime) {
    return new Meta(newTime, sessionId, agent, parent, extra);
  }

  /** Returns a copy with the given session id. */
  public Meta withSessionId(@Nullable String newSessionId) {
    return new Meta(time, newSessionId, agent, parent, extra);
  }

  /** Returns a copy with the given agent. */
  public Meta withAgent(@Nullable String newAgent) {
    return new Meta(time, sessionId, newAgent, parent, extra);
  }

  /** Returns a copy with the given call that started the agent. */
  public Meta withParent(@Nullable String newParent) {
    return new Meta(time, sessionId, agent, newParent, extra);
  }

  /** Returns a copy with the given additional members. */
  public Meta withExtra(JsonObject newExtra) {
    return new Meta(time, sessionId, agent, parent, newExtra);
  }
}
