package dev.agentreplay.engine.lines;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A line as it is compared with its partner.
 *
 * @param number its number, from 1
 * @param recorded its members, without those that publication adds
 * @param json the members that are compared: those that its partner shows as well
 * @param event the event of these members
 * @param delta the change of an earlier prompt, if it is compared as such; else null
 */
public record SharedLine(
    long number,
    JsonObject recorded,
    JsonObject json,
    ReplayEvent event,
    @Nullable JsonValue delta) {

  /** A line of which everything is compared. */
  public static SharedLine of(ReplayLine line) {
    return new SharedLine(line.position().line(), line.json(), line.json(), line.event(), null);
  }
}
