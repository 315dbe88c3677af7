package dev.agentreplay.engine.exchange;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The results of a replay that differ from the recorded ones, which are replaced by these in later
 * prompts. A text of several characters is replaced wherever it is. A shorter text, a number or a
 * boolean may be there by chance: it is replaced only as a whole value, in those members of a
 * message that carry a result or an answer. Not safe for use by several threads.
 */
final class ResultDifferences {

  /** The most differences that are replaced, and the longest text of one. */
  private static final int MAX_DIFFERENCES = 100;

  private static final int MAX_TEXT = 1 << 20;

  /** The length from which a text is replaced wherever it is. */
  private static final int MIN_PART = 4;

  /** The roles and the types of messages, and of their parts, that carry results or answers. */
  private static final Set<String> CARRIERS = Set.of(
      "ai",
      "assistant",
      "function",
      Names.FUNCTION_CALL,
      Names.FUNCTION_CALL_OUTPUT,
      "model",
      "tool",
      Names.TOOL_CALL,
      Names.TOOL_EXECUTION_RESULT,
      Names.TOOL_RESULT,
      Names.TOOL_USE);

  /** The members of these that are taken from the result or the answer. */
  private static final Set<String> CARRIED = Set.of(
      "arguments",
      "call_id",
      "content",
      "contents",
      Names.FUNCTION_CALL,
      "id",
      "input",
      "output",
      "parts",
      "response",
      "result",
      "text",
      "toolExecutionRequests",
      Names.TOOL_CALL_ID,
      Names.TOOL_CALLS,
      Names.TOOL_USE_ID);

  /** The members of any message that are a result or an answer. */
  private static final Set<String> RESULTS =
      Set.of("functionCall", "functionResponse", "toolResult", "toolUse");

  /** The longest text in which a part is replaced, before and after. */
  private static final int MAX_REPLACED = 1 << 24;

  private record Difference(String actual, String recorded) {}

  private final Deque<Difference> differences = new ArrayDeque<>();

  /** Adds a result that differs from the recorded one. */
  void add(JsonValue actual, JsonValue recorded) {
    add(text(actual), text(recorded));
    if (actual instanceof JsonObject one && recorded instanceof JsonObject other) {
      one.forEach((name, value) -> {
        JsonValue before = other.get(name);
        if (before != null && !before.equals(value)) {
          add(value, before);
        }
      });
    } else if (actual instanceof JsonArray one && recorded instanceof JsonArray other) {
      for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
        if (!one.get(i).equals(other.get(i))) {
          add(one.get(i), other.get(i));
        }
      }
    }
  }

  private void add(String actual, String recorded) {
    if (actual.isEmpty()
        || actual.equals(recorded)
        || Math.max(actual.length(), recorded.length()) > MAX_TEXT) {
      return;
    }
    differences.addLast(new Difference(actual, recorded));
    String quoted = quoted(actual);
    if (!quoted.equals(actual)) {
      differences.addLast(new Difference(quoted, quoted(recorded)));
    }
    while (differences.size() > MAX_DIFFERENCES) {
      differences.removeFirst();
    }
  }

  private static String text(JsonValue value) {
    return value instanceof JsonString string ? string.value() : value.toString();
  }

  /** The text as it is inside of a JSON string. */
  private static String quoted(String text) {
    String json = JsonString.of(text).toString();
    return json.substring(1, json.length() - 1);
  }

  /** Returns what is added to a prompt, with the recorded results. */
  JsonValue replaceIn(JsonValue added) {
    return differences.isEmpty() ? added : replaced(added, false);
  }

  /**
   * Replaces results in a value.
   *
   * @param isResult whether the value is a result or an answer, or a part of one
   */
  private JsonValue replaced(JsonValue value, boolean isResult) {
    if (value instanceof JsonString string) {
      String text = replaced(string.value(), isResult);
      return text.equals(string.value()) ? value : JsonString.of(text);
    } else if (value instanceof JsonArray array) {
      List<JsonValue> elements = new ArrayList<>(array.size());
      array.values().forEach(element -> elements.add(replaced(element, isResult)));
      return JsonArray.copyOf(elements);
    } else if (value instanceof JsonObject object) {
      boolean carries = isCarrier(object.get("role")) || isCarrier(object.get("type"));
      JsonObject.Builder members = JsonObject.builder();
      object.forEach((name, member) -> {
        boolean isPart = isResult || RESULTS.contains(name) || (carries && CARRIED.contains(name));
        members.add(name, replaced(member, isPart));
      });
      return members.build();
    }
    String whole = isResult ? whole(value.toString()) : null;
    return whole == null ? value : scalar(value, whole);
  }

  private static boolean isCarrier(@Nullable JsonValue name) {
    return name instanceof JsonString text
        && CARRIERS.contains(text.value().toLowerCase(Locale.ROOT));
  }

  private static JsonValue scalar(JsonValue value, String text) {
    try {
      return JsonText.parse(text);
    } catch (JsonSyntaxException notJson) {
      return value;
    }
  }

  private @Nullable String whole(String text) {
    for (Difference difference : differences) {
      if (difference.actual().equals(text)) {
        return difference.recorded();
      }
    }
    return null;
  }

  private String replaced(String text, boolean isResult) {
    String whole = isResult || text.length() >= MIN_PART ? whole(text) : null;
    if (whole != null) {
      return whole;
    }
    String result = text;
    for (Difference difference : differences) {
      if (difference.actual().length() >= MIN_PART && isReplaceable(result, difference)) {
        result = result.replace(difference.actual(), difference.recorded());
      }
    }
    return result;
  }

  /** Whether a text has a part, and is not too long with the recorded one in its place. */
  private static boolean isReplaceable(String text, Difference difference) {
    int part = difference.actual().length();
    long length = text.length();
    int at = text.indexOf(difference.actual());
    boolean isPart = at >= 0;
    while (at >= 0 && length <= MAX_REPLACED) {
      length += difference.recorded().length() - part;
      at = text.indexOf(difference.actual(), at + part);
    }
    return isPart && length <= MAX_REPLACED;
  }
}
