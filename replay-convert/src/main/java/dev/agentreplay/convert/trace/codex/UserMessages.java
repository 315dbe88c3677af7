package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the user. A rollout has them as items of the conversation, as events for the user
 * interface, or as both: the second statement of a message is not counted, and its text is dropped.
 * Items also hold what Codex itself tells the model in the name of the user, such as the
 * environment.
 */
final class UserMessages {

  /** The maximum number of messages that may be repeated. */
  private static final int MAX_WAITING = 100;

  private static final String INSTRUCTIONS = "# AGENTS.md instructions";

  /** An item of the conversation. */
  private record Written(String text, boolean isCounted) {}

  private final TraceSession session;

  /** The items that no event has repeated yet, since the last answer of the model. */
  private final List<Written> items = new ArrayList<>();

  /** The texts of events that no item has repeated yet. */
  private final List<String> events = new ArrayList<>();

  /** The ends of the conversation before each message of the user. */
  private final List<Conversation.Mark> turns = new ArrayList<>();

  UserMessages(TraceSession session) {
    this.session = session;
  }

  /** Writes an item of the conversation with the role of the user. */
  void item(CodexItem item) throws IOException {
    String text = item.joined();
    JsonObject message = item.value();
    Meta meta = item.meta();
    boolean isRepeated = removeEvent(text);
    boolean isCounted = isRepeated || !isOfCodex(text);
    if (isCounted && !isRepeated) {
      turns.add(conversation().mark());
      session.task(item.record(), text, item.path("content"));
      session.message(item.record(), meta);
    } else {
      session.keep(item.record(), meta);
    }
    items.add(new Written(text, isCounted));
    if (items.size() > MAX_WAITING) {
      items.remove(0);
    }
    item.deriveEach("ModelCall/prompt", List.of("role", "content"));
    conversation().add(message);
  }

  /** Writes a message that is in the conversation from before the session. */
  void inherited(CodexItem item) throws IOException {
    turns.add(conversation().mark());
    item.deriveEach("ModelCall/prompt", List.of("role", "content"));
    conversation().add(item.value());
    if (isOfCodex(item.joined())) {
      session.keep(item.record(), item.meta());
    } else {
      session.message(item.record(), item.meta());
    }
  }

  private boolean removeEvent(String text) {
    for (int i = 0; i < events.size(); i++) {
      if (text.strip().equals(events.get(i).strip())) {
        events.remove(i);
        return true;
      }
    }
    return !isOfCodex(text) && events.removeIf(event -> !event.isEmpty() && text.contains(event));
  }

  /** Writes an event that states what the user wrote. */
  void event(CodexItem event) throws IOException {
    String text = event.text("message");
    Written item = text == null ? null : removeItem(text);
    Meta meta = event.meta();
    if (item != null) {
      event.drop("the same text is in the item of the conversation", "message");
    }
    if (item != null && item.isCounted()) {
      session.keep(event.record(), meta);
      return;
    }
    if (item == null) {
      turns.add(conversation().mark());
      if (text != null) {
        event.derive("ModelCall/prompt", "message");
        if (events.size() == MAX_WAITING) {
          complete();
        }
        events.add(text);
        session.task(event.record(), text, event.path("message"));
      }
    }
    session.message(event.record(), meta);
  }

  private @Nullable Written removeItem(String text) {
    for (int i = items.size() - 1; i >= 0; i--) {
      if (items.get(i).text().strip().equals(text.strip())) {
        return items.remove(i);
      }
    }
    for (int i = items.size() - 1; i >= 0 && !text.isEmpty(); i--) {
      Written item = items.get(i);
      if (item.isCounted() && item.text().contains(text)) { // among other parts, such as images
        return items.remove(i);
      }
    }
    return null;
  }

  /**
   * Whether a text is one that Codex adds: an element as a whole, or the instructions of a file.
   */
  private static boolean isOfCodex(String text) {
    String trimmed = text.strip();
    int end = trimmed.indexOf('>');
    return trimmed.startsWith(INSTRUCTIONS)
        || (trimmed.startsWith("<")
            && end > 0
            && trimmed.endsWith("</" + trimmed.substring(1, end) + ">"));
  }

  /** Adds the messages that only events state, before an answer of the model. */
  void complete() {
    for (String text : events) {
      conversation().add(JsonObject.of("content", text, "role", "user"));
    }
    events.clear();
    items.clear();
  }

  /** Removes the last turns of the conversation, as the user did. */
  void removeTurns(long count) {
    int left = (int) Math.max(0, turns.size() - Math.min(count, turns.size()));
    if (left < turns.size()) {
      conversation().rewind(turns.get(left));
      turns.subList(left, turns.size()).clear();
    }
  }

  /** Forgets the turns that were replaced by their summary. */
  void clear() {
    complete();
    turns.clear();
  }

  private Conversation conversation() {
    return session.conversation(null);
  }
}
