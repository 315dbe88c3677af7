package dev.agentreplay.benchmarks;

import static dev.agentreplay.benchmarks.EmitContender.CALL;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentreplay.canonical.CanonicalJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The members of the written event, for libraries without events. */
final class EmitFields {

  /** The hash of the parameters, for contenders that do not compute it. */
  static final String PARAMS_HASH =
      CanonicalJson.SERDE.hash(CALL.params().value()).toString();

  private EmitFields() {}

  /** The parameters of the call as a map. */
  @SuppressWarnings("unchecked") // Jackson reads an object as a map with string keys
  static Map<String, Object> params() {
    try {
      byte[] json = CanonicalJson.SERDE.bytes(CALL.params().value());
      return new JsonMapper().readValue(json, TreeMap.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All members except the time and the parameters. */
  static Map<String, Object> all() {
    Map<String, Object> members = new TreeMap<>();
    put(members::put, Map.of(), PARAMS_HASH);
    members.remove("params");
    return members;
  }

  /** Passes all members except the time to a consumer. */
  static void put(
      BiConsumer<String, Object> members, Map<String, Object> params, String paramsHash) {
    members.accept("event", "ToolCall");
    members.accept("id", CALL.id());
    members.accept("params", params);
    members.accept("params_hash", paramsHash);
    members.accept("step_id", CALL.stepId());
    members.accept("tool", CALL.tool());
  }
}
