package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of an object that were taken out of it, at any depth. */
final class TakenMembers {

  /** A member that was taken as a whole. */
  private static final TakenMembers WHOLE = new TakenMembers();

  private @Nullable Map<String, TakenMembers> below;

  /** Adds the member at a path. Returns false if it, or an object that it is in, was taken. */
  boolean add(String... path) {
    TakenMembers members = this;
    for (int i = 0; i < path.length; i++) {
      if (members == WHOLE) {
        return false;
      }
      if (members.below == null) {
        members.below = new HashMap<>();
      }
      if (i == path.length - 1) {
        return members.below.put(path[i], WHOLE) != WHOLE;
      }
      members = members.below.computeIfAbsent(path[i], any -> new TakenMembers());
    }
    return true;
  }

  /** The rest of an object; objects of which nothing is left are left out. */
  JsonObject rest(JsonObject object) {
    if (below == null) {
      return object;
    }
    JsonObject.Builder rest = JsonObject.builder();
    for (int i = 0; i < object.size(); i++) {
      TakenMembers members = below.get(object.name(i));
      JsonValue value = object.value(i);
      if (members == null) {
        rest.add(object.name(i), value);
      } else if (members != WHOLE) {
        JsonValue left = value instanceof JsonObject inner ? members.rest(inner) : value;
        if (!left.equals(JsonObject.EMPTY)) {
          rest.add(object.name(i), left);
        }
      }
    }
    return rest.build();
  }
}
