package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A span, or what the source states for several of them, whose lists of named values are objects,
 * so that each attribute has a name in the account of the import, and whose ids are texts if they
 * are numbers that have more than 64 bits.
 *
 * @param paths the paths of the values that the source states differently
 */
record Restated(JsonObject json, List<List<String>> paths) {

  private static final List<String> IDS = List.of("context", "parent");

  /** Copies the paths. */
  Restated {
    paths = List.copyOf(paths);
  }

  static Restated of(JsonObject json) {
    Set<List<String>> paths = new LinkedHashSet<>();
    JsonObject restated = named(json, "attributes", List.of(), paths);
    restated = named(restated, "tags", List.of(), paths);
    if (restated.get("attributes") instanceof JsonObject attributes) {
      restated = restated.with("attributes", Flattened.names(attributes));
    }
    if (restated.get("resource") instanceof JsonObject resource) {
      restated =
          restated.with("resource", named(resource, "attributes", List.of("resource"), paths));
    }
    for (String scope : List.of("scope", "instrumentationLibrary")) {
      if (restated.get(scope) instanceof JsonObject object) {
        restated = restated.with(scope, named(object, "attributes", List.of(scope), paths));
      }
    }
    if (restated.get("processes") instanceof JsonObject processes) {
      JsonObject.Builder named = JsonObject.builder();
      processes.forEach((id, process) -> named.add(
          id,
          process instanceof JsonObject object
              ? named(object, "tags", List.of("processes", "*"), paths)
              : process));
      restated = restated.with("processes", named.build());
    }
    for (String list : List.of("events", "logs", "links")) {
      if (json.get(list) instanceof JsonArray array) {
        restated = restated.with(list, events(array, List.of(list, "*"), paths));
      }
    }
    for (String id : IDS) {
      if (restated.get(id) instanceof JsonObject context
          && context.get("trace_id") instanceof JsonNumber number
          && !isExact(number)) {
        restated = restated.with(id, context.with("trace_id", number.text()));
        paths.add(List.of(id, "trace_id"));
      }
    }
    return new Restated(restated, List.copyOf(paths));
  }

  /** Whether canonical JSON has all digits of a number. */
  private static boolean isExact(JsonNumber number) {
    try {
      number.asLong();
      return true;
    } catch (ArithmeticException notOf64Bits) {
      return false;
    }
  }

  private static JsonArray events(JsonArray array, List<String> at, Set<List<String>> paths) {
    List<JsonValue> events = new ArrayList<>();
    for (JsonValue element : array) {
      events.add(
          element instanceof JsonObject event
              ? named(named(event, "attributes", at, paths), "fields", at, paths)
              : element);
    }
    return JsonArray.copyOf(events);
  }

  /** Returns an object in which a member that is a list of named values is an object. */
  static JsonObject named(JsonObject json, String name, List<String> at, Set<List<String>> paths) {
    if (!(json.get(name) instanceof JsonArray list) || !SpanValues.isNamedList(list)) {
      return json;
    }
    List<String> pair = new ArrayList<>(at);
    pair.add(name);
    pair.add("*");
    for (JsonValue element : list) {
      JsonObject object = element.asObject();
      paths.add(with(pair, "key"));
      if (object.get("type") instanceof JsonString) {
        paths.add(with(pair, "type"));
      }
      if (object.get("value") != null) {
        addTyped(object.get("value"), with(pair, "value"), paths);
      }
    }
    return json.with(name, SpanValues.named(list));
  }

  /** Adds the paths of the texts that are numbers, and of names, in a value with its type. */
  private static void addTyped(JsonValue value, List<String> at, Set<List<String>> paths) {
    if (value instanceof JsonArray array) {
      array.forEach(element -> addTyped(element, with(at, "*"), paths));
    } else if (value instanceof JsonObject object) {
      object.forEach((name, member) -> {
        boolean isName = name.equals("key") && member instanceof JsonString;
        if (isName || name.equals("intValue") || name.equals("int_value")) {
          paths.add(with(at, name));
        } else {
          addTyped(member, with(at, name), paths);
        }
      });
    }
  }

  private static List<String> with(List<String> path, String name) {
    List<String> longer = new ArrayList<>(path);
    longer.add(name);
    return longer;
  }
}
