package dev.agentreplay.engine.diff.value;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Finds the texts that hold a JSON object or array in which the pattern of a rule selects
 * something: a value to ignore, an unordered array, a number with a tolerance, or a text to be
 * compared for similarity. Such texts are compared as the values that they hold. Immutable.
 */
final class TextReach {

  private static final int MAX_DEPTH = JsonLimits.defaults().maxDepth();

  private final RulePaths paths;

  TextReach(RulePaths paths) {
    this.paths = paths;
  }

  /** Whether a text begins like an object or array, and a rule may select something in it. */
  boolean mayReach(String text, long[] states) {
    return !paths.isDead(states)
        && JsonText.beginsLikeContainer(text)
        && paths.mayReach(paths.into(states));
  }

  /**
   * Returns the value that a text holds if a rule selects something in it; else null. The text is
   * parsed only if it contains the names that the rules require.
   *
   * @param depth the depth of the text in the objects and arrays around it
   */
  @Nullable
  JsonValue selected(String text, long[] states, int depth) {
    long[] into = paths.into(states);
    JsonValue held = paths.mayReach(text, into) ? parse(text, depth) : null;
    return held != null && selects(held, into, depth) ? held : null;
  }

  /**
   * Returns the object or array that a text holds; null if it is not JSON, or if the held value is
   * too deep together with the objects and arrays around the text.
   */
  static @Nullable JsonValue parse(String text, int depth) {
    JsonValue held = JsonText.parseContainer(text);
    return held == null || depth + held.depth() > MAX_DEPTH ? null : held;
  }

  private boolean selects(JsonValue value, long[] states, int depth) {
    if (paths.isDead(states)) {
      return false;
    }
    if (paths.selects(value, states)) {
      return true;
    }
    if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        if (selects(object.value(i), paths.next(states, object.name(i)), depth + 1)) {
          return true;
        }
      }
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        if (selects(array.get(i), paths.next(states, i), depth + 1)) {
          return true;
        }
      }
    } else if (value instanceof JsonString text && mayReach(text.value(), states)) {
      return selected(text.value(), states, depth) != null;
    }
    return false;
  }
}
