package dev.agentreplay.engine.replay.settings;

import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A difference between a recorded setting and the present one.
 *
 * @param name the name of the setting, or of a member of it
 * @param recorded the recorded value; null if there is none
 * @param present the present value; null if it is not stated
 * @param message the difference in words
 */
public record SettingDifference(
    String name, @Nullable JsonValue recorded, @Nullable JsonValue present, String message) {}
