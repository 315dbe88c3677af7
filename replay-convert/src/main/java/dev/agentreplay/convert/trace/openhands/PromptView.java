package dev.agentreplay.convert.trace.openhands;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages that the model sees, each with the events that it is made of, because a condensation
 * removes events from anywhere in it.
 */
final class PromptView {

  /** A message, made of one event, or of the actions of one answer. */
  private record Entry(List<String> events, JsonValue message) {}

  private final Conversation conversation;
  private final List<Entry> entries = new ArrayList<>();
  private int systemEvents;

  PromptView(Conversation conversation) {
    this.conversation = conversation;
  }

  /** Sets the system prompt and the tools, as an event states them. */
  void system(JsonValue system, JsonArray tools) {
    systemEvents = 1;
    conversation.system(system);
    conversation.context(JsonObject.of("tools", tools));
  }

  void add(Collection<String> events, JsonValue message) {
    entries.add(new Entry(List.copyOf(events), message));
    conversation.add(message);
  }

  /**
   * Removes the messages of events, and adds a summary of them.
   *
   * @param offset the number of events before the summary; null if it is not stated
   */
  void condense(Set<String> forgotten, @Nullable String summary, @Nullable Long offset) {
    entries.removeIf(entry -> entry.events().stream().anyMatch(forgotten::contains));
    if (summary != null && offset != null) {
      JsonArray content = JsonArray.of(JsonObject.of("text", summary, "type", "text"));
      entries.add(
          index(offset), new Entry(List.of(), JsonObject.of("content", content, "role", "user")));
    }
    conversation.clear();
    entries.forEach(entry -> conversation.add(entry.message()));
  }

  private int index(long offset) {
    long left = offset - systemEvents;
    int index = 0;
    while (index < entries.size() && left > 0) {
      left -= Math.max(1, entries.get(index).events().size());
      index++;
    }
    return index;
  }
}
