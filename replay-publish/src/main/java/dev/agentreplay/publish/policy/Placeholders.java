package dev.agentreplay.publish.policy;

import static dev.agentreplay.canonical.dialect.Dialect.DRAFT;
import static dev.agentreplay.canonical.dialect.Dialect.EVENT;
import static dev.agentreplay.canonical.dialect.Dialect.TYPE;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that are shown in place of required members that a policy withholds, so that a
 * published line has no finding that the original does not have.
 */
final class Placeholders {

  /** The placeholder of a text. */
  static final JsonString TEXT = JsonString.of("withheld");

  /** The type of an unknown event whose name is not shown. */
  static final JsonString TAG = JsonString.of("Withheld");

  static final JsonNumber ZERO = JsonNumber.of(0);

  private static final JsonNumber ZERO_POINT_ZERO = JsonNumber.of("0.0");

  private static final Map<Dialect, Map<EventKind, Map<String, JsonValue>>> VALUES =
      new EnumMap<>(Dialect.class);

  static {
    required(EventKind.REPLAY_HEADER, Names.CREATED_AT, TEXT, EVENT, TYPE);
    required(EventKind.REPLAY_HEADER, Names.STARTED_AT, TEXT, DRAFT);
    required(EventKind.REPLAY_HEADER, "producer", TEXT, EVENT, TYPE);
    required(EventKind.REPLAY_HEADER, Names.SESSION_ID, TEXT, DRAFT);
    required(EventKind.SESSION_START, Names.SESSION_ID, TEXT, EVENT, TYPE);
    required(EventKind.SESSION_START, Names.ISSUE_NUMBER, JsonNull.NULL, EVENT);
    required(EventKind.SESSION_START, Names.POLICY_VERSION, TEXT, EVENT);
    required(EventKind.SESSION_START, Names.POLICY_BUNDLE_ID, TEXT, EVENT, TYPE);
    required(EventKind.SESSION_START, "task", TEXT, DRAFT);
    required(EventKind.PLAN_START, Names.PLAN_HASH, TEXT, Dialect.values());
    required(EventKind.PLAN_START, Names.STEP_COUNT, ZERO, Dialect.values());
    required(EventKind.TOOL_CALL, "id", TEXT, EVENT, DRAFT);
    required(EventKind.TOOL_CALL, Names.STEP_ID, TEXT, EVENT, TYPE);
    required(EventKind.TOOL_CALL, "tool", TEXT, Dialect.values());
    required(EventKind.TOOL_CALL, "params", JsonObject.EMPTY, DRAFT);
    required(EventKind.TOOL_RESULT, "id", TEXT, EVENT, DRAFT);
    required(EventKind.TOOL_RESULT, Names.STEP_ID, TEXT, TYPE);
    required(EventKind.TOOL_RESULT, "output", JsonNull.NULL, DRAFT);
    required(EventKind.TOOL_RESULT, Names.STEP_UTILITY, ZERO_POINT_ZERO, EVENT);
    required(EventKind.TOOL_RESULT, Names.LATENCY_MS, ZERO, EVENT, TYPE);
    required(EventKind.TOOL_RESULT, Names.SIDE_EFFECTS, JsonArray.EMPTY, TYPE);
    required(EventKind.STEP_COMPLETE, Names.STEP_ID, TEXT, Dialect.values());
    required(EventKind.STEP_COMPLETE, "iterations", ZERO, Dialect.values());
    required(EventKind.VERIFICATION, "command", TEXT, TYPE);
    required(EventKind.VERIFICATION, "commands", TEXT, EVENT, DRAFT);
    required(EventKind.VERIFICATION, Names.VERIFICATION_DELTA, ZERO, EVENT);
    required(EventKind.VERIFICATION, "delta", ZERO, DRAFT);
    required(EventKind.VERIFICATION, Names.TESTS_BEFORE, ZERO, DRAFT);
    required(EventKind.VERIFICATION, Names.TESTS_AFTER, ZERO, DRAFT);
    required(EventKind.PAYMENT, Names.AMOUNT_MSATS, ZERO, Dialect.values());
    required(EventKind.MODEL_CALL, "id", TEXT, Dialect.values());
    required(EventKind.MODEL_RESULT, "id", TEXT, Dialect.values());
    required(EventKind.SETTINGS, "values", JsonObject.EMPTY, Dialect.values());
    required(EventKind.FILE_STATE, "path", TEXT, Dialect.values());
    required(EventKind.RECORDED_VALUE, "source", TEXT, Dialect.values());
    required(EventKind.RECORDED_VALUE, "value", JsonNull.NULL, Dialect.values());
    required(EventKind.SESSION_END, "confidence", JsonNumber.of("0.5"), EVENT, TYPE);
    required(EventKind.SESSION_END, Names.TOTAL_LATENCY_MS, ZERO, EVENT);
    required(EventKind.SESSION_END, Names.ENDED_AT, TEXT, DRAFT);
  }

  private Placeholders() {}

  private static void required(
      EventKind kind, String name, JsonValue placeholder, Dialect... dialects) {
    for (Dialect dialect : dialects) {
      VALUES
          .computeIfAbsent(dialect, d -> new EnumMap<>(EventKind.class))
          .computeIfAbsent(kind, k -> new HashMap<>())
          .put(name, placeholder);
    }
  }

  /**
   * The placeholder of a member, or of each of its elements if its form is an array; null if a line
   * may lack the member. That of times, ids and hashes is made of the value.
   */
  static @Nullable JsonValue of(Dialect dialect, EventKind kind, String name) {
    return VALUES.getOrDefault(dialect, Map.of()).getOrDefault(kind, Map.of()).get(name);
  }
}
