package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Messages as attributes have them: as JSON, in their names, or in events of the span. */
final class MessageForms {

  /** The event with the messages of a request, in versions of the conventions since 1.37. */
  static final String DETAILS = "gen_ai.client.inference.operation.details";

  /** The attribute in which Logfire has the events of a request. */
  private static final String EVENTS = "events";

  /** The objects that OpenInference wraps around others. */
  private static final Set<String> WRAPPERS =
      Set.of("message", "tool_call", "message_content", "tool");

  private MessageForms() {}

  /** The messages that a value holds: an array of them, an object with one, or a text. */
  static List<JsonValue> list(@Nullable JsonValue value, String role) {
    if (value instanceof JsonArray array) {
      return array.values();
    } else if (value instanceof JsonObject object
        && object.get("messages") instanceof JsonArray messages) {
      return messages.values();
    } else if (value instanceof JsonObject object) {
      return object.isEmpty() ? List.of() : List.of(object);
    } else if (value instanceof JsonString text && !text.value().isEmpty()) {
      return List.of(JsonObject.of("role", role, "content", text));
    }
    return List.of();
  }

  /** The only message of several, or all of them as an array; null if there is none. */
  static @Nullable JsonValue one(List<JsonValue> messages) {
    return messages.isEmpty()
        ? null
        : messages.size() == 1 ? messages.get(0) : JsonArray.copyOf(messages);
  }

  /** The messages in the names of the attributes with a prefix, which are moved. */
  static List<JsonValue> flattened(SpanRecord span, String to, String prefix) {
    Map<String, JsonValue> values = span.movePrefixed(to, prefix);
    return values.isEmpty() ? List.of() : list(unwrap(Flattened.structure(values)), "user");
  }

  /** Removes the objects around those that OpenInference names a second time. */
  static JsonValue unwrap(JsonValue value) {
    if (value instanceof JsonArray array) {
      return JsonArray.copyOf(array.stream().map(MessageForms::unwrap).toList());
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    if (object.size() == 1
        && WRAPPERS.contains(object.name(0))
        && object.value(0) instanceof JsonObject inner) {
      return unwrap(inner);
    }
    JsonObject.Builder unwrapped = JsonObject.builder();
    object.forEach((name, member) -> unwrapped.add(
        name.equals("contents") && !object.has("content") ? "content" : name, unwrap(member)));
    return unwrapped.build();
  }

  /** The value of an attribute of the event with all messages; null if it is missing. */
  static @Nullable JsonValue ofDetails(SpanRecord span, String to, String name) {
    for (Span.Event event : span.span().events()) {
      JsonValue value = event.attributes().get(name);
      if (event.name().equals(DETAILS) && value != null) {
        span.record().derive(to, "events");
        return SpanRecord.parsed(value);
      }
    }
    return null;
  }

  /** The messages that are events of the span, such as {@code gen_ai.user.message}. */
  static List<JsonValue> ofEvents(SpanRecord span, String to, Map<String, String> roles) {
    List<JsonValue> messages = new ArrayList<>();
    for (Span.Event event : events(span.span())) {
      String role = roles.get(event.name());
      if (role != null) {
        span.record().derive(to, "events");
        span.record().derive(to, "logs");
        span.derive(to, EVENTS);
        messages.add(ofEvent(event, role));
      }
    }
    return messages;
  }

  /** The events of a span, and those that Logfire has as JSON in an attribute. */
  static List<Span.Event> events(Span span) {
    if (!(SpanRecord.parsed(span.attributes().get(EVENTS)) instanceof JsonArray stated)) {
      return span.events();
    }
    List<Span.Event> events = new ArrayList<>(span.events());
    for (JsonValue element : stated) {
      if (element instanceof JsonObject event
          && event.get("event.name") instanceof JsonString name) {
        events.add(new Span.Event(name.value(), event.without("event.name")));
      }
    }
    return events;
  }

  /**
   * The message of an event: the object in its member {@code message}, or its members, with
   * {@code message} as the content if that is not an object.
   */
  private static JsonValue ofEvent(Span.Event event, String role) {
    JsonObject attributes = event.attributes();
    JsonObject.Builder message = JsonObject.builder();
    if (!attributes.has("role")) {
      message.put("role", role);
    }
    for (int i = 0; i < attributes.size(); i++) {
      String name = attributes.name(i);
      JsonValue value = attributes.value(i);
      JsonValue parsed = SpanRecord.parsed(value);
      boolean isStructure = name.equals(Names.TOOL_CALLS)
          || name.equals("message")
          || (name.equals("content") && isBlocks(parsed));
      if (name.equals("message") && parsed instanceof JsonObject inner) {
        return inner.has("role") ? inner : inner.with("role", role);
      } else if (name.equals("message") && !attributes.has("content")) {
        message.put("content", parsed);
      } else if (!name.startsWith("gen_ai.") && !name.equals("event")) {
        message.add(name, isStructure && parsed != null ? parsed : value);
      }
    }
    return message.build();
  }

  /** Whether a value is an array of the parts of a message. */
  private static boolean isBlocks(@Nullable JsonValue value) {
    return value instanceof JsonArray array
        && array.size() > 0
        && array.stream().allMatch(element -> element instanceof JsonObject);
  }
}
