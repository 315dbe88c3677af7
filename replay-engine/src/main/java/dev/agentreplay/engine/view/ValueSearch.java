package dev.agentreplay.engine.view;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.engine.view.EventHit.Found;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The search through the values of one event. */
final class ValueSearch {

  /** The maximum depth of a value, together with the texts around it that hold it. */
  private static final int MAX_DEPTH = JsonLimits.defaults().maxDepth();

  private final @Nullable PathPattern place;
  private final String text;
  private final boolean isWhole;
  private final boolean ignoresCase;
  private final List<String> path = new ArrayList<>();
  private @Nullable Found excerpt;
  private String pointer = "";
  private int places;

  ValueSearch(@Nullable PathPattern place, String text, boolean isWhole, boolean ignoresCase) {
    this.place = place;
    this.text = text;
    this.isWhole = isWhole;
    this.ignoresCase = ignoresCase;
  }

  void visit(JsonObject event) {
    visit(event, place == null ? PathPattern.DEAD : place.start(), 0);
  }

  /** The first match; null if there is none. */
  @Nullable
  Found excerpt() {
    return excerpt;
  }

  /** The place of the first match. */
  String pointer() {
    return pointer;
  }

  /** The number of values that match. */
  int places() {
    return places;
  }

  /**
   * Visits a value.
   *
   * @param depth the number of objects and arrays around it
   */
  private void visit(JsonValue value, long state, int depth) {
    if (value instanceof JsonObject object) {
      object.forEach((name, member) -> descend(name, member, state, depth + 1));
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        descend(Integer.toString(i), array.get(i), state, depth + 1);
      }
    } else {
      if (place == null || place.matches(state)) {
        scalar(value);
      }
      if (place != null && value instanceof JsonString string) {
        visitHeld(place, string.value(), state, depth);
      }
    }
  }

  /** Visits the object or array that a text holds, if the place may be in it. */
  private void visitHeld(PathPattern pattern, String json, long state, int depth) {
    JsonValue held = pattern.mayMatchIn(json, state) ? JsonText.parseContainer(json) : null;
    if (held != null && depth + held.depth() <= MAX_DEPTH) {
      visit(held, state, depth);
    }
  }

  private void descend(String name, JsonValue member, long state, int depth) {
    long next = place == null ? PathPattern.DEAD : place.next(state, name);
    if (place != null && next == PathPattern.DEAD) {
      return;
    }
    path.add(name);
    visit(member, next, depth);
    path.remove(path.size() - 1);
  }

  private void scalar(JsonValue value) {
    String found = value instanceof JsonString string
        ? string.value()
        : value instanceof JsonNumber || value instanceof JsonBoolean ? value.toString() : null;
    if (found == null) {
      return;
    }
    int at = isWhole ? (isEqual(found) ? 0 : -1) : indexOf(found);
    if (at < 0) {
      return;
    }
    places++;
    if (excerpt == null) {
      excerpt = excerpt(found, at, isWhole ? found.length() : at + text.length());
      pointer = new JsonPointer(path).toString();
    }
  }

  private boolean isEqual(String found) {
    return ignoresCase ? found.equalsIgnoreCase(text) : found.equals(text);
  }

  private int indexOf(String found) {
    if (!ignoresCase) {
      return found.indexOf(text);
    }
    for (int i = 0; i <= found.length() - text.length(); i++) {
      if (found.regionMatches(true, i, text, 0, text.length())) {
        return i;
      }
    }
    return -1;
  }

  private static Found excerpt(String found, int from, int to) {
    int begin = Excerpt.floor(found, Math.max(0, from - EventSearch.CONTEXT));
    int matched = Excerpt.floor(found, Math.min(to, from + EventSearch.CONTEXT));
    int end = Excerpt.floor(found, Math.min(found.length(), to + EventSearch.CONTEXT));
    return new Found(
        found.substring(begin, from), found.substring(from, matched), found.substring(to, end));
  }
}
