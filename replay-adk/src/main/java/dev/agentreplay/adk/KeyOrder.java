package dev.agentreplay.adk;

import com.google.adk.agents.BaseAgent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The order of the names in arguments and results. A log is canonical and does not keep it, but the
 * kit shows an agent what other agents called, what was returned, and values of the state, as text
 * in this order.
 */
final class KeyOrder {

  /** The member with the names that are not in canonical order, by the pointer of their object. */
  static final String NAME = "key_order";

  private KeyOrder() {}

  /** Whether the order of an agent's arguments and results is visible to other agents. */
  static boolean isVisible(BaseAgent agent) {
    return !agent.rootAgent().subAgents().isEmpty();
  }

  /** The orders in a value; empty if all are canonical. */
  static JsonObject of(JsonValue value) {
    JsonObject.Builder orders = JsonObject.builder();
    collect(JsonPointer.ROOT, value, orders);
    return orders.build();
  }

  private static void collect(JsonPointer place, JsonValue value, JsonObject.Builder orders) {
    if (value instanceof JsonObject object) {
      List<String> names = List.copyOf(object.names());
      if (!names.equals(List.copyOf(new TreeSet<>(names)))) {
        orders.add(place.toString(), JsonValue.of(names));
      }
      object.forEach((name, member) -> collect(place.append(name), member, orders));
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        collect(place.append(i), array.get(i), orders);
      }
    }
  }

  /**
   * Returns a value with its names in the recorded order.
   *
   * @param orders the recorded orders; null if there are none
   */
  static JsonValue restored(JsonValue value, @Nullable JsonValue orders) {
    return orders instanceof JsonObject recorded
        ? restored(JsonPointer.ROOT, value, recorded)
        : value;
  }

  private static JsonValue restored(JsonPointer place, JsonValue value, JsonObject orders) {
    if (value instanceof JsonArray array) {
      JsonValue[] elements = new JsonValue[array.size()];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = restored(place.append(i), array.get(i), orders);
      }
      return JsonArray.copyOf(List.of(elements));
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    JsonObject.Builder ordered = JsonObject.builder();
    JsonObject rest = object;
    if (orders.get(place.toString()) instanceof JsonArray names) {
      for (JsonValue each : names) {
        JsonValue member = each instanceof JsonString name ? rest.get(name.value()) : null;
        if (member != null) {
          ordered.add(each.asString(), restored(place.append(each.asString()), member, orders));
          rest = rest.without(each.asString());
        }
      }
    }
    rest.forEach((name, member) -> ordered.add(name, restored(place.append(name), member, orders)));
    return ordered.build();
  }
}
