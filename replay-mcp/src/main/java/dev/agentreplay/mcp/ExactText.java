package dev.agentreplay.mcp;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The exact texts of messages. A log has canonical JSON, in which the members of objects are
 * sorted. For most messages it is enough to keep the orders of their members: each order that is
 * not sorted, once. The text of others is kept as a whole.
 */
final class ExactText {

  private static final String ORDERS = "orders";
  private static final String TEXT = "text";

  private ExactText() {}

  /**
   * Adds to an object what restores the text of a message.
   *
   * @param rebuilt the message as a replay builds it from the log
   */
  static JsonObject keep(JsonObject kept, Message message, JsonObject rebuilt) {
    JsonArray orders = message.json() == null ? null : orders(message.json());
    if (orders != null
        && orders.toString().length() < message.text().length()
        && text(canonical(rebuilt), orders).equals(message.text())) {
      return orders.size() == 0 ? kept : kept.with(ORDERS, orders);
    }
    return kept.with(TEXT, JsonString.of(EventTexts.wellFormed(message.text())));
  }

  private static JsonObject canonical(JsonObject value) {
    return JsonText.parse(CanonicalJson.SERDE.bytes(value)).asObject();
  }

  /** The orders that are not sorted; null if objects with the same members have several. */
  private static @Nullable JsonArray orders(JsonObject message) {
    Map<Set<String>, List<String>> orders = new LinkedHashMap<>();
    if (!collect(message, orders)) {
      return null;
    }
    List<JsonValue> unsorted = new ArrayList<>();
    for (List<String> order : orders.values()) {
      if (!order.equals(order.stream().sorted().toList())) {
        unsorted.add(JsonValue.of(order));
      }
    }
    return JsonArray.copyOf(unsorted);
  }

  private static boolean collect(JsonValue value, Map<Set<String>, List<String>> orders) {
    if (value instanceof JsonObject object) {
      if (object.size() > 1) {
        List<String> names = List.copyOf(object.names());
        List<String> other = orders.putIfAbsent(new HashSet<>(names), names);
        if (other != null && !other.equals(names)) {
          return false;
        }
      }
      for (int i = 0; i < object.size(); i++) {
        if (!collect(object.value(i), orders)) {
          return false;
        }
      }
    } else if (value instanceof JsonArray array) {
      for (JsonValue element : array) {
        if (!collect(element, orders)) {
          return false;
        }
      }
    }
    return true;
  }

  /** The text of a message that was kept as a whole; null if its orders were kept. */
  static @Nullable String whole(JsonObject kept) {
    return kept.get(TEXT) instanceof JsonString text ? text.value() : null;
  }

  /** The text of a message, with the kept orders. */
  static String ordered(JsonObject rebuilt, JsonObject kept) {
    return text(rebuilt, kept.get(ORDERS) instanceof JsonArray orders ? orders : JsonArray.EMPTY);
  }

  private static String text(JsonObject rebuilt, JsonArray orders) {
    Map<Set<String>, List<String>> byNames = new LinkedHashMap<>();
    for (JsonValue order : orders) {
      List<String> names = order instanceof JsonArray array
          ? array.stream()
              .map(name -> name instanceof JsonString s ? s.value() : "")
              .toList()
          : List.of();
      byNames.put(new HashSet<>(names), names);
    }
    return ordered(rebuilt, byNames).toString();
  }

  private static JsonValue ordered(JsonValue value, Map<Set<String>, List<String>> orders) {
    if (value instanceof JsonArray array) {
      return JsonArray.copyOf(array.stream().map(each -> ordered(each, orders)).toList());
    } else if (!(value instanceof JsonObject)) {
      return value;
    }
    JsonObject object = value.asObject();
    List<String> names = object.size() < 2 ? null : orders.get(new HashSet<>(object.names()));
    JsonObject.Builder ordered = JsonObject.builder();
    List<String> sorted = object.names().stream().sorted().toList();
    for (String name : names == null ? sorted : names) {
      JsonValue member = object.get(name);
      if (member != null) {
        ordered.add(name, ordered(member, orders));
      }
    }
    return ordered.build();
  }

  /** The text of a message with a different id. */
  static String withId(String message, JsonValue id) {
    int[] place = TopLevel.find(message, "id");
    return place == null
        ? message
        : message.substring(0, place[0]) + id + message.substring(place[1]);
  }
}
