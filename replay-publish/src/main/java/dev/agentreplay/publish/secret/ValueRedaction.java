package dev.agentreplay.publish.secret;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Redacts the values of one event, and collects the places. Not safe for use by several threads.
 */
final class ValueRedaction {

  private final SecretScanner scanner;
  private final List<String> path = new ArrayList<>();
  private final Map<String, String> redacted = new LinkedHashMap<>();

  ValueRedaction(SecretScanner scanner) {
    this.scanner = scanner;
  }

  /** The rules of the secrets that were redacted, by the JSON Pointers of their values. */
  Map<String, String> redacted() {
    return redacted;
  }

  void enter(String token) {
    path.add(token);
  }

  /** The path to the present value. */
  List<String> path() {
    return List.copyOf(path);
  }

  void moveTo(List<String> newPath) {
    path.clear();
    path.addAll(newPath);
  }

  void leave() {
    path.remove(path.size() - 1);
  }

  String text(String name, String value) {
    List<SecretMatch> matches = scanner.scan(name, value);
    if (matches.isEmpty()) {
      return value;
    }
    note(matches);
    return scanner.redact(name, value);
  }

  String identifier(String name, String value) {
    List<SecretMatch> matches =
        IdentityMembers.isExempt(name, value) ? List.of() : scanner.scanIdentifier(value);
    if (matches.isEmpty()) {
      return value;
    }
    note(matches);
    return scanner.redactIdentifier(value);
  }

  private void note(List<SecretMatch> matches) {
    redacted.putIfAbsent(new JsonPointer(path).toString(), matches.get(0).rule());
  }

  /** Redacts a value; returns it unchanged if it has no secret. */
  JsonValue value(String name, JsonValue value) {
    if (value instanceof JsonString string) {
      String text = text(name, string.value());
      return text.equals(string.value()) ? value : JsonString.of(text);
    } else if (value instanceof JsonArray array) {
      return array(name, array);
    }
    return value instanceof JsonObject object ? object(object, false) : value;
  }

  private JsonValue array(String name, JsonArray array) {
    List<JsonValue> elements = new ArrayList<>(array.size());
    boolean isChanged = false;
    for (int i = 0; i < array.size(); i++) {
      enter(Integer.toString(i));
      JsonValue element = value(name, array.get(i));
      leave();
      isChanged |= element != array.get(i);
      elements.add(element);
    }
    return isChanged ? JsonArray.copyOf(elements) : array;
  }

  /**
   * Redacts the names and values of an object.
   *
   * @param isLine whether its members are those of a line, so that some identify something
   */
  JsonObject object(JsonObject object, boolean isLine) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    boolean isChanged = false;
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      String shown = scanner.redact(name);
      boolean isRenamed = !shown.equals(name);
      if (isRenamed) {
        shown = unique(shown, object, members);
      }
      enter(shown);
      if (isRenamed) {
        redacted.put(new JsonPointer(path).toString(), scanner.scan(name).get(0).rule());
      }
      JsonValue value = object.value(i);
      JsonValue member =
          isLine && IdentityMembers.isIdentity(name) && value instanceof JsonString string
              ? identifierValue(name, string)
              : value(name, value);
      leave();
      isChanged |= isRenamed || member != value;
      members.put(shown, member);
    }
    if (!isChanged) {
      return object;
    }
    JsonObject.Builder builder = JsonObject.builder();
    members.forEach(builder::add);
    return builder.build();
  }

  private JsonValue identifierValue(String name, JsonString string) {
    String text = identifier(name, string.value());
    return text.equals(string.value()) ? string : JsonString.of(text);
  }

  /** A name that no other member has: the second of equal ones ends with 2, and so on. */
  private static String unique(String name, JsonObject object, Map<String, JsonValue> members) {
    String unique = name;
    for (int n = 2; object.has(unique) || members.containsKey(unique); n++) {
      unique = name + n;
    }
    return unique;
  }
}
