package dev.agentreplay.benchmarks;

import static dev.agentreplay.benchmarks.EmitContender.CALL;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentreplay.canonical.CanonicalJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The members of the event that is written, for libraries that know no events. */
final class EmitFields {

  /** The hash of the parameters, for those that make none. */
  static final String PARAMS_HASH = CanonicalJson.SERDE.hash(CALL.params()).toString();

  private EmitFields() {}

  /** The parameters of the call in a map. */
  @SuppressWarnings("unchecked") // an object is read as a map of names
  static Map<String, Object> params() {
    try {
      byte[] json = CanonicalJson.SERDE.bytes(CALL.params());
      return new JsonMapper().readValue(json, TreeMap.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All members but the time and the parameters. */
  static Map<String, Object> all() {
    Map<String, Object> members = new TreeMap<>();
    put(members::put, Map.of(), PARAMS_HASH);
    members.remove("params");
    return members;
  }

  /** Hands out all members but the time. */
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
