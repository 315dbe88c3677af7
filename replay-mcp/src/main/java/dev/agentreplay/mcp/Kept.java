package dev.agentreplay.mcp;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The additional member {@value Names#IMPORTED} of an event that was made from a message, as in an
 * imported log: comparisons ignore it. It states the line of the message, its sender, the line of
 * the message of the client that it belongs to, and what restores its text.
 */
final class Kept {

  private static final String RECORD = "record";
  private static final String HASH = "hash";
  private static final String LINE = "line";
  private static final String POINTER = "at";
  private static final String SENDER = "sender";
  private static final String REQUEST = "request";
  private static final String ID = "id";
  private static final String PARAMS = "params";
  private static final String TYPE_PREFIX = "mcp/";
  private static final String MESSAGE_TEXT = "text";

  private Kept() {}

  /**
   * The member for a message.
   *
   * @param request the line of the message that it belongs to; 0 for none
   */
  static JsonObject of(Message message, String type, long request) {
    JsonObject kept = JsonObject.of(
        RECORD,
        type,
        HASH,
        message.hash().toString(),
        LINE,
        message.line(),
        SENDER,
        message.sender().id());
    if (message.pointer() != null) {
      kept = kept.with(POINTER, message.pointer());
    }
    return request == 0 ? kept : kept.with(REQUEST, request);
  }

  /** The member for a request, with its id and what its call lacks. */
  static JsonObject ofRequest(JsonObject kept, @Nullable JsonValue id, JsonObject rest) {
    JsonObject withId = id == null ? kept : kept.with(ID, id);
    return rest.isEmpty() ? withId : withId.with(PARAMS, rest);
  }

  /** The id of a request; null if it is not one that is a call. */
  static @Nullable JsonValue id(JsonObject kept) {
    return kept.get(ID);
  }

  static Meta meta(JsonObject kept) {
    return Meta.NONE.withExtra(JsonObject.of(Names.IMPORTED, kept));
  }

  /** The event of a message that is neither a call nor a result. */
  static RuntimeEvent event(Message message, String type, JsonObject kept) {
    return new RuntimeEvent(
        message.line(), TYPE_PREFIX + type, Content.of(payload(message)), null, meta(kept));
  }

  /** The message; if it is not a JSON object, its text. */
  static JsonObject payload(Message message) {
    return message.json() == null
        ? JsonObject.of(MESSAGE_TEXT, EventTexts.wellFormed(message.text()))
        : message.json();
  }

  /** The text of a message that is not a JSON object; null if it is one. */
  static @Nullable String text(JsonObject payload) {
    return payload.size() == 1 && payload.get(MESSAGE_TEXT) instanceof JsonString text
        ? text.value()
        : null;
  }

  /** The member of an event; null if the event was not made from a message. */
  static @Nullable JsonObject of(ReplayEvent event) {
    return event.meta().extra().get(Names.IMPORTED) instanceof JsonObject kept
            && kept.get(SENDER) instanceof JsonString
        ? kept
        : null;
  }

  static boolean isOfServer(JsonObject kept) {
    return Side.SERVER.id().equals(text(kept, SENDER));
  }

  private static String text(JsonObject kept, String name) {
    return kept.get(name) instanceof JsonString text ? text.value() : "";
  }

  static long line(JsonObject kept) {
    return number(kept.get(LINE));
  }

  /** The line of the message that the message belongs to; 0 for none. */
  static long request(JsonObject kept) {
    return number(kept.get(REQUEST));
  }

  static JsonObject rest(JsonObject kept) {
    return kept.get(PARAMS) instanceof JsonObject rest ? rest : JsonObject.EMPTY;
  }

  private static long number(@Nullable JsonValue value) {
    try {
      return value instanceof JsonNumber number ? number.asLong() : 0;
    } catch (ArithmeticException notALong) {
      return 0;
    }
  }
}
