package dev.agentreplay.publish;

import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
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
  private static final List<String> CONTEXT = List.of("id", Names.STEP_ID, "tool");

  /** The events of which these are ids and names. */
  private static final Set<EventKind> CALLS = Set.of(
      EventKind.TOOL_CALL, EventKind.TOOL_RESULT, EventKind.MODEL_CALL, EventKind.MODEL_RESULT);

  /** Members that let a reader test guesses of other values, wherever they are. */
  private static final Set<String> ORACLES = Set.of(
      "salt",
      "signature",
      Names.TREE_ROOT,
      Names.HASH_BEFORE,
      Names.HASH_AFTER,
      Names.BYTES_BEFORE,
      "hash");

  private static final String HASH = "_hash";
  private static final String REFERENCE = "_ref";

  private DisclosedPlace() {}

  /**
   * The treatment of a line that shows the value at a place, and its context.
   *
   * @param opening the opening of the line, of which a part may be replaced
   * @param tagName the name of the member with the type of the event
   */
  static Treatment treatment(
      JsonObject line, Opening opening, JsonPointer pointer, @Nullable String tagName) {
    if (pointer.tokens().isEmpty()) {
      return Treatment.SHOW;
    }
    Map<String, Treatment> members = new LinkedHashMap<>();
    if (tagName != null) {
      show(tagName, opening, members);
      boolean isCall = line.get(tagName) instanceof JsonString tag
          && CALLS.contains(EventKind.ofTag(tag.value()));
      for (String name : CONTEXT) {
        if (isCall && line.get(name) instanceof JsonString) {
          show(name, opening, members);
        }
      }
    }
    members.putAll(((Treatment.Members) at(line, pointer.tokens())).members());
    return new Treatment.Members(members);
  }

  private static void show(String name, Opening opening, Map<String, Treatment> members) {
    boolean isComplete = opening instanceof Opening.Complete
        || (opening instanceof Opening.Members some
            && some.members().get(name) instanceof Opening.Complete);
    if (isComplete) {
      members.put(name, Treatment.SHOW);
    }
  }

  private static Treatment at(@Nullable JsonValue value, List<String> tokens) {
    if (tokens.isEmpty()) {
      return Treatment.SHOW;
    }
    List<String> rest = tokens.subList(1, tokens.size());
    if (value instanceof JsonArray array) {
      int index = JsonPointer.arrayIndex(tokens.get(0));
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
                .formatted(line.position().line())
            + " be published as a whole, with the blob"
        : "line %d has no value at %s".formatted(line.position().line(), pointer);
  }

  /** The reason why a value would help to guess others; null if it would not. */
  static @Nullable String oracle(ReplayLine line, JsonPointer pointer) {
    String content = line.event().kind().contentName();
    String found = null;
    JsonValue value = line.json();
    for (int i = 0; i < pointer.tokens().size() && found == null; i++) {
      String name = pointer.tokens().get(i);
      if (i == 0 && name.equals(content)) {
        return null; // the agent's own data
      }
      found = value instanceof JsonObject && (isOracle(name) || (i == 0 && name.endsWith(HASH)))
          ? name
          : null;
      value = value == null ? null : JsonPointer.child(value, name);
    }
    found = found == null ? below(value, pointer.tokens().isEmpty(), content) : found;
    return found == null
        ? null
        : "%s is not disclosed: a reader could use it to test guesses of other values"
            .formatted(found);
  }

  /** The name of a member below a value that would help to guess others; null if there is none. */
  private static @Nullable String below(
      @Nullable JsonValue value, boolean isLine, @Nullable String content) {
    String found = null;
    if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size() && found == null; i++) {
        String name = object.name(i);
        boolean isHashAlone = isLine
            && name.endsWith(HASH)
            && !object.has(name.substring(0, name.length() - HASH.length()));
        boolean isContent = isLine && name.equals(content);
        found = isOracle(name) || isHashAlone
            ? name
            : isContent ? null : below(object.value(i), false, content);
      }
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size() && found == null; i++) {
        found = below(array.get(i), false, content);
      }
    }
    return found;
  }

  private static boolean isOracle(String name) {
    return ORACLES.contains(name) || name.endsWith(REFERENCE);
  }
}
