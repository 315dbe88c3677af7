package dev.agentreplay.engine.exchange;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares what two model calls add to the prompts of the calls before them. Results of this replay
 * that differ from the recorded ones are replaced by these. Not safe for use by several threads.
 */
final class PromptGrowth {

  /** The most differences that are replaced, and the longest text of one. */
  private static final int MAX_DIFFERENCES = 100;

  private static final int MAX_TEXT = 1 << 20;

  private static final String MESSAGES = "messages";

  /** The length from which a text is replaced also within longer texts. */
  private static final int MIN_PART = 4;

  private record Difference(String actual, String recorded) {}

  private final RecordedExchanges recording;
  private final Deque<Difference> differences = new ArrayDeque<>();

  PromptGrowth(RecordedExchanges recording) {
    this.recording = recording;
  }

  void addDifference(JsonValue actual, JsonValue recorded) {
    add(text(actual), text(recorded));
    if (actual instanceof JsonObject one && recorded instanceof JsonObject other) {
      one.forEach((name, value) -> {
        JsonValue before = other.get(name);
        if (before != null && !before.equals(value)) {
          addDifference(value, before);
        }
      });
    } else if (actual instanceof JsonArray one && recorded instanceof JsonArray other) {
      for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
        if (!one.get(i).equals(other.get(i))) {
          addDifference(one.get(i), other.get(i));
        }
      }
    }
  }

  private void add(String actual, String recorded) {
    if (actual.isEmpty() || actual.equals(recorded) || actual.length() > MAX_TEXT) {
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

  /**
   * Whether a request adds the same to a prompt as a recorded call does.
   *
   * @param last the recorded call that {@code next} continues
   * @param next the recorded call to compare with
   * @param lastPrompt the prompt of the request of this replay that counts as {@code last}
   */
  boolean isSame(
      RecordedExchange last, RecordedExchange next, JsonObject lastPrompt, ModelCall request)
      throws IOException {
    ReplayEvent before = recording.call(last);
    ReplayEvent after = recording.call(next);
    if (!(before.content().value() instanceof JsonObject recordedLast)
        || !(after.content().value() instanceof JsonObject recordedNext)
        || !(request.prompt().value() instanceof JsonObject prompt)) {
      return false;
    }
    int recordedPrefix = prefix(messages(recordedLast), messages(recordedNext));
    int prefix = prefix(messages(lastPrompt), messages(prompt));
    if (prefix != recordedPrefix || prefix == 0) {
      return false;
    }
    JsonObject expected = rest(recordedNext, prefix);
    JsonObject added = rest(prompt, prefix);
    for (String name : prompt.names()) {
      boolean isUnchanged = !name.equals(MESSAGES)
          && Objects.equals(prompt.get(name), lastPrompt.get(name))
          && recordedNext.has(name)
          && Objects.equals(recordedNext.get(name), recordedLast.get(name));
      if (isUnchanged) {
        expected = expected.without(name);
        added = added.without(name);
      }
    }
    return recording
        .comparison()
        .compare(
            with((ModelCall) after, expected), with(request, replaced(added).asObject()))
        .isEmpty();
  }

  /** A call with a different prompt. */
  static ModelCall with(ModelCall call, JsonObject prompt) {
    return new ModelCall("", call.model(), Content.of(prompt), call.parameters(), Meta.NONE);
  }

  /** A prompt with different messages. */
  static JsonObject with(JsonObject prompt, List<JsonValue> messages) {
    return prompt.with(MESSAGES, JsonArray.copyOf(messages));
  }

  /** The messages of a call; empty if it has none. */
  static JsonArray messages(ModelCall call) {
    return call.prompt().value() instanceof JsonObject prompt ? messages(prompt) : JsonArray.EMPTY;
  }

  private static JsonArray messages(JsonObject prompt) {
    return prompt.get(MESSAGES) instanceof JsonArray messages ? messages : JsonArray.EMPTY;
  }

  /** The number of messages with which both prompts begin. */
  static int prefix(JsonObject one, JsonObject other) {
    return prefix(messages(one), messages(other));
  }

  /** The number of elements with which both arrays begin. */
  private static int prefix(JsonArray one, JsonArray other) {
    int length = 0;
    while (length < one.size()
        && length < other.size()
        && one.get(length).equals(other.get(length))) {
      length++;
    }
    return length;
  }

  /** A prompt without its first messages. */
  private static JsonObject rest(JsonObject prompt, int from) {
    List<JsonValue> messages = messages(prompt).values();
    return with(prompt, messages.subList(from, messages.size()));
  }

  private JsonValue replaced(JsonValue value) {
    if (differences.isEmpty()) {
      return value;
    } else if (value instanceof JsonString string) {
      String text = replaced(string.value());
      return text.equals(string.value()) ? value : JsonString.of(text);
    } else if (value instanceof JsonArray array) {
      List<JsonValue> elements = new ArrayList<>(array.size());
      array.values().forEach(element -> elements.add(replaced(element)));
      return JsonArray.copyOf(elements);
    } else if (value instanceof JsonObject object) {
      JsonObject.Builder members = JsonObject.builder();
      object.forEach((name, member) -> members.add(name, replaced(member)));
      return members.build();
    }
    @Nullable String whole = whole(value.toString());
    return whole == null ? value : scalar(value, whole);
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

  private String replaced(String text) {
    String whole = whole(text);
    if (whole != null) {
      return whole;
    }
    String result = text;
    for (Difference difference : differences) {
      if (difference.actual().length() >= MIN_PART && result.contains(difference.actual())) {
        result = result.replace(difference.actual(), difference.recorded());
      }
    }
    return result;
  }
}
