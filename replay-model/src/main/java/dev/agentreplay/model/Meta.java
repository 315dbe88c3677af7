package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What every event has.
 *
 * @param time when it happened; null lets the writer say
 * @param sessionId the session it belongs to, where the event says so
 * @param extra members that this version does not know, or could not read; written back as they are
 */
public record Meta(@Nullable Timestamp time, @Nullable String sessionId, JsonObject extra) {

  /** Nothing is known. */
  public static final Meta NONE = new Meta(null, null, JsonObject.EMPTY);

  /** Checks for null. */
  public Meta {
    Objects.requireNonNull(extra, "extra");
  }

  /** Happened at this time. */
  public static Meta at(Timestamp time) {
    return NONE.withTime(time);
  }

  /** With another time. */
  public Meta withTime(@Nullable Timestamp newTime) {
    return new Meta(newTime, sessionId, extra);
  }

  /** With another session id. */
  public Meta withSessionId(@Nullable String newSessionId) {
    return new Meta(time, newSessionId, extra);
  }

  /** With other additional members. */
  public Meta withExtra(JsonObject newExtra) {
    return new Meta(time, sessionId, newExtra);
  }
}
