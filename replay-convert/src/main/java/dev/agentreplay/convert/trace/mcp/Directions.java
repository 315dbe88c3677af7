package dev.agentreplay.convert.trace.mcp;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.model.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the senders of messages from the words of their envelopes. */
final class Directions {

  private static final List<String> NAMES =
      List.of("direction", "dir", "from", "sender", "source", "origin", "kind", "type", "event");

  private static final Set<String> OF_CLIENT = Set.of(
      "client",
      "clienttoserver",
      "clientserver",
      "c2s",
      "cs",
      "toserver",
      "stdin",
      "clientmessage",
      "fromclient");

  private static final Set<String> OF_SERVER = Set.of(
      "server",
      "servertoclient",
      "serverclient",
      "s2c",
      "sc",
      "toclient",
      "stdout",
      "servermessage",
      "fromserver");

  /** The maximum number of words that are learned. */
  private static final int MAX_LEARNED = 20;

  private final Map<String, Side> learned = new HashMap<>();

  /** Returns the sender that an envelope states; null if it states none that is known. */
  @Nullable
  Side find(JsonObject envelope, @Nullable String method) {
    for (String name : NAMES) {
      String text = SourceHead.text(envelope, name);
      if (text != null) {
        Side side = side(text, name.startsWith("dir"), method);
        if (side != null) {
          return side;
        }
      }
    }
    return null;
  }

  private @Nullable Side side(String text, boolean isDirection, @Nullable String method) {
    String word = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    if (OF_CLIENT.contains(word)) {
      return Side.CLIENT;
    } else if (OF_SERVER.contains(word)) {
      return Side.SERVER;
    } else if (!isDirection) {
      return null;
    }
    Side sender = method == null ? null : Methods.sender(method);
    if (sender != null && learned.size() < MAX_LEARNED) {
      learned.putIfAbsent(text, sender);
    }
    Side known = learned.get(text);
    return known == null && learned.size() == 1 && !text.isBlank()
        ? learned.values().iterator().next().other()
        : known;
  }
}
