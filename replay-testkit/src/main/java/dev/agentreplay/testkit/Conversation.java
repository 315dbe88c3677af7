package dev.agentreplay.testkit;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A conversation with a model that is changed at random, as agents change theirs: it grows, it is
 * compacted, messages are edited, the system prompt and the tools change.
 */
public final class Conversation {

  private final Random random;
  private final List<JsonValue> messages = new ArrayList<>();
  private final List<JsonValue> tools = new ArrayList<>();
  private String system = "You fix bugs.";

  public Conversation(long seed) {
    this.random = new Random(seed);
  }

  /** The next prompt. */
  public JsonObject next() {
    switch (random.nextInt(12)) {
      case 0 -> system = "You fix bug " + random.nextInt(3) + ".";
      case 1 -> tools.add(JsonObject.of("name", "tool-" + random.nextInt(5)));
      case 2 -> drop(tools);
      case 3 -> drop(messages);
      case 4 -> compact();
      case 5 -> Collections.shuffle(messages, random);
      case 6 -> messages.add(message("again"));
      default -> append();
    }
    JsonObject prompt = JsonObject.of("messages", JsonArray.copyOf(messages));
    if (random.nextInt(4) > 0) {
      prompt = prompt.with("system", system);
    }
    if (!tools.isEmpty()) {
      JsonObject context = JsonObject.of("tools", JsonArray.copyOf(tools));
      prompt = prompt.with("context", random.nextBoolean() ? context.with("a/~b", 1) : context);
    }
    // a caller that converts its messages for each call has other instances of equal values
    return random.nextBoolean() ? prompt : copy(prompt).asObject();
  }

  private void append() {
    for (int i = random.nextInt(3); i >= 0; i--) {
      messages.add(message("message " + random.nextInt(1_000)));
    }
  }

  private void compact() {
    int kept = random.nextInt(messages.size() + 1);
    messages.subList(0, messages.size() - kept).clear();
    messages.add(0, message("summary " + random.nextInt(100)));
  }

  private void drop(List<JsonValue> list) {
    if (!list.isEmpty()) {
      list.remove(random.nextInt(list.size()));
    }
  }

  private static JsonObject message(String text) {
    return JsonObject.of("role", "user", "content", text + " \u00e4\ud83d\ude00", "n", 1.5);
  }

  private static JsonValue copy(JsonValue value) {
    if (value instanceof JsonObject object) {
      JsonObject.Builder copy = JsonObject.builder();
      object.forEach((name, member) -> copy.add(name, copy(member)));
      return copy.build();
    } else if (value instanceof JsonArray array) {
      return JsonArray.copyOf(array.stream().map(Conversation::copy).toList());
    }
    return value instanceof JsonString text ? JsonString.of(text.value().concat("")) : value;
  }
}
