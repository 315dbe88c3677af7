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
 * @param extra members that this version does not know, or could not read; they are written back
 *     unchanged
 */
public record Meta(@Nullable Timestamp time, @Nullable String sessionId, JsonObject extra) {

  /** Meta data without time, session id and additional members. */
  public static final Meta NONE = new Meta(null, null, JsonObject.EMPTY);

  /** Checks for null. */
  public Meta {
    Objects.requireNonNull(extra, "extra");
  }

  /** Creates meta data with a time. */
  public static Meta at(Timestamp time) {
    return NONE.withTime(time);
  }

  /** Returns a copy with the given time. */
  public Meta withTime(@Nullable Timestamp newTime) {
    return new Meta(newTime, sessionId, extra);
  }

  /** Returns a copy with the given session id. */
  public Meta withSessionId(@Nullable String newSessionId) {
    return new Meta(time, newSessionId, extra);
  }

  /** Returns a copy with the given additional members. */
  public Meta withExtra(JsonObject newExtra) {
    return new Meta(time, sessionId, newExtra);
  }
}
