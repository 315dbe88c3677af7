package dev.agentreplay.convert.trace.openhands;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tokens and durations of model calls by the id of their response, which the statistics of a
 * conversation list. Totals are not used: they are the sums of these.
 */
final class Usage {

  private final Map<String, JsonObject> tokens = new HashMap<>();
  private final Map<String, JsonObject> latencies = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /** Adds the lists of the statistics, which may repeat earlier ones. */
  void add(@Nullable JsonValue stats) {
    if (stats instanceof JsonObject object
        && object.get("usage_to_metrics") instanceof JsonObject metrics) {
      metrics.forEach((name, value) -> {
        if (value instanceof JsonObject metric) {
          collect(metric, "token_usages", tokens);
          collect(metric, "response_latencies", latencies);
        }
      });
    }
  }

  private static void collect(JsonObject metric, String name, Map<String, JsonObject> byResponse) {
    if (metric.get(name) instanceof JsonArray list) {
      for (JsonValue value : list) {
        if (value instanceof JsonObject entry
            && entry.get("response_id") instanceof JsonString id
            && !id.value().isEmpty()) {
          byResponse.putIfAbsent(id.value(), entry);
        }
      }
    }
  }

  /** Takes the tokens of a response, which are stated once; null if they are not. */
  @Nullable
  JsonObject takeTokens(String response) {
    return taken.add(response) ? tokens.get(response) : null;
  }

  /** The model of a response; null if it is not stated. */
  @Nullable
  String model(String response) {
    JsonObject entry = tokens.get(response);
    return entry == null ? null : SourceHead.text(entry, "model");
  }

  /** The duration of a response in milliseconds; null if it is not stated. */
  @Nullable
  Long latencyMillis(String response) {
    JsonObject entry = latencies.get(response);
    return entry == null ? null : millis(entry.get("latency"));
  }

  /** Converts a duration in seconds; null if it is none. */
  static @Nullable Long millis(@Nullable JsonValue seconds) {
    double value = seconds instanceof JsonNumber number ? Double.parseDouble(number.text()) : -1;
    return value >= 0 && value <= Integer.MAX_VALUE ? (Long) Math.round(value * 1_000) : null;
  }

  /** The number of tokens in a member; null if it is missing, or not such a number. */
  static @Nullable Long count(@Nullable JsonObject usage, String name) {
    try {
      return usage != null && usage.get(name) instanceof JsonNumber number && number.asLong() >= 0
          ? (Long) number.asLong()
          : null;
    } catch (ArithmeticException notAnInteger) {
      return null;
    }
  }
}
