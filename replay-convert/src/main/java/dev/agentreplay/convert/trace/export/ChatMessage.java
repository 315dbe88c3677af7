package dev.agentreplay.convert.trace.export;

import static dev.agentreplay.convert.trace.export.MessagePart.Kind.CALL;
import static dev.agentreplay.convert.trace.export.MessagePart.Kind.REASONING;
import static dev.agentreplay.convert.trace.export.MessagePart.Kind.RESULT;
import static dev.agentreplay.convert.trace.export.MessagePart.Kind.TEXT;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A message to or from a model, read from the form of a provider without loss: each member of it is
 * in a part, or in {@code more}.
 *
 * @param role the role, such as {@code user}
 * @param parts the parts in order
 * @param more the other members of the message, under their own names
 */
public record ChatMessage(String role, List<MessagePart> parts, JsonObject more) {

  /** Copies the parts. */
  public ChatMessage {
    parts = List.copyOf(parts);
  }

  /** Reads a message; see {@link MessageParser}. */
  public static ChatMessage of(JsonValue message, String defaultRole) {
    return MessageParser.parse(message, defaultRole);
  }

  /** The texts, separated by line feeds; empty if there are none. */
  public String text() {
    return joined(TEXT);
  }

  /** The reasoning, separated by line feeds; null if there is none. */
  public @Nullable String reasoning() {
    return parts.stream().anyMatch(part -> part.is(REASONING)) ? joined(REASONING) : null;
  }

  private String joined(MessagePart.Kind kind) {
    return parts.stream()
        .filter(part -> part.is(kind))
        .map(MessagePart::asText)
        .collect(Collectors.joining("\n"));
  }

  List<MessagePart> calls() {
    return parts.stream().filter(part -> part.is(CALL)).toList();
  }

  /** Whether the message only returns results of tools. */
  boolean isResults() {
    return !parts.isEmpty() && parts.stream().allMatch(part -> part.is(RESULT));
  }
}
