package dev.agentreplay.publish;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.publish.policy.Treatment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The place of a value that is disclosed, and what must not be disclosed. */
final class DisclosedPlace {

  /** The members by which a reader can tell what a value is. */
  private static final List<String> CONTEXT = List.of("event", "type", "id", Names.STEP_ID, "tool");

  /** Members that let a reader test guesses of other values, wherever they are. */
  private static final Set<String> ORACLES = Set.of(
      "salt", Names.TREE_ROOT, Names.HASH_BEFORE, Names.HASH_AFTER, Names.BYTES_BEFORE, "hash");

  private static final String HASH = "_hash";
  private static final String REFERENCE = "_ref";

  private DisclosedPlace() {}

  /** The treatment of a line that shows the value at a place, and its context. */
  static Treatment treatment(JsonObject line, JsonPointer pointer, boolean hasContext) {
    if (pointer.tokens().isEmpty()) {
      return Treatment.SHOW;
    }
    Map<String, Treatment> members = new LinkedHashMap<>();
    if (hasContext) {
      CONTEXT.forEach(name -> members.put(name, Treatment.SHOW));
    }
    members.putAll(((Treatment.Members) at(line, pointer.tokens())).members());
    return new Treatment.Members(members);
  }

  private static Treatment at(@Nullable JsonValue value, List<String> tokens) {
    if (tokens.isEmpty()) {
      return Treatment.SHOW;
    }
    List<String> rest = tokens.subList(1, tokens.size());
    if (value instanceof JsonArray array) {
      int index = Integer.parseInt(tokens.get(0));
      List<Treatment> elements =
          new ArrayList<>(Collections.nCopies(array.size(), Treatment.WITHHOLD));
      elements.set(index, at(array.get(index), rest));
      return new Treatment.Elements(elements);
    }
    JsonValue member = value instanceof JsonObject object ? object.get(tokens.get(0)) : null;
    return new Treatment.Members(Map.of(tokens.get(0), at(member, rest)));
  }

  /** The message about a value that the log does not have. */
  static String missing(ReplayLine line, JsonPointer pointer) {
    EventKind kind = line.event().kind();
    boolean isInBlob = kind.contentName() != null
        && !pointer.tokens().isEmpty()
        && pointer.tokens().get(0).equals(kind.contentName())
        && line.event().content().blob() != null;
    return isInBlob
        ? "the value of line %d is in a blob, of which only the log's hash is covered; it can only"
            + " be published as a whole, with the blob"
                .formatted(line.position().line())
        : "line %d has no value at %s".formatted(line.position().line(), pointer);
  }

  /** The reason why a value would help to guess others; null if it would not. */
  static @Nullable String oracle(ReplayLine line, JsonPointer pointer) {
    String found = pointer.tokens().isEmpty()
        ? line.json().names().stream()
            .filter(name -> isOracle(name) || isHashAlone(name, line.json()))
            .findFirst()
            .orElse(null)
        : inPlace(line.json(), pointer);
    return found == null
        ? null
        : ("%s is not disclosed: a reader could use it to test guesses of other values; name the"
                + " value itself")
            .formatted(found);
  }

  /** The member on the way to a place, or directly in it, that would help to guess others. */
  private static @Nullable String inPlace(JsonObject line, JsonPointer pointer) {
    String name = pointer.tokens().get(0);
    if (isOracle(name) || name.endsWith(HASH)) {
      return name;
    }
    boolean isContent = line.has(name + HASH); // what is in it is the agent's
    JsonValue value = pointer.find(line);
    if (isContent || !(value instanceof JsonObject object)) {
      return isContent
          ? null
          : pointer.tokens().stream().filter(ORACLES::contains).findFirst().orElse(null);
    }
    return object.names().stream().filter(ORACLES::contains).findFirst().orElse(null);
  }

  /** Whether the value of a hash is not in the line. */
  private static boolean isHashAlone(String name, JsonObject line) {
    return name.endsWith(HASH) && !line.has(name.substring(0, name.length() - HASH.length()));
  }

  private static boolean isOracle(String name) {
    return ORACLES.contains(name) || name.endsWith(REFERENCE);
  }
}
