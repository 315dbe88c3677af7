package dev.agentreplay.engine.exchange;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Compares what two model calls add to the prompts of the calls before them. Results of this replay
 * that differ from the recorded ones are replaced by these. Not safe for use by several threads.
 */
final class PromptGrowth {

  private static final String MESSAGES = "messages";

  private final RecordedExchanges recording;
  private final ResultDifferences differences = new ResultDifferences();

  PromptGrowth(RecordedExchanges recording) {
    this.recording = recording;
  }

  /** Adds a result of this replay that differs from the recorded one. */
  void addDifference(JsonValue actual, JsonValue recorded) {
    differences.add(actual, recorded);
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
    Set<String> names = new HashSet<>(prompt.names());
    names.addAll(recordedNext.names());
    for (String name : names) {
      boolean isUnchanged = !name.equals(MESSAGES)
          && Objects.equals(prompt.get(name), lastPrompt.get(name))
          && Objects.equals(recordedNext.get(name), recordedLast.get(name));
      if (isUnchanged) {
        expected = expected.without(name);
        added = added.without(name);
      }
    }
    return recording
        .comparison()
        .compare(
            with((ModelCall) after, expected),
            with(request, differences.replaceIn(added).asObject()))
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
}
