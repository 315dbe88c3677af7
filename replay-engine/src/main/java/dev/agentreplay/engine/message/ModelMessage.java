package dev.agentreplay.engine.message;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;

/**
 * The content of a message of a prompt, or of an answer of a model: its texts, the tools that it
 * asks for, and the results that it returns.
 *
 * <pre>{@code
 * ModelMessage message = ModelMessage.of(JsonValue.of("I read it first."));
 * message.text();      // I read it first.
 * message.toolCalls(); // []
 * }</pre>
 *
 * <p>Read are the messages and answers of OpenAI (Chat Completions and Responses), Anthropic
 * (Messages), Gemini, Amazon Bedrock (Converse), Ollama, LangChain4j, the AI SDK and OpenTelemetry
 * (GenAI), and texts. Members that none of them has are not part of a message; a value of which
 * nothing could be read is {@linkplain #isEmpty() empty}. Immutable and safe for use by several
 * threads.
 */
public final class ModelMessage {

  private final List<String> texts;
  private final List<String> thoughts;
  private final List<ToolRequest> toolCalls;
  private final List<JsonValue> results;

  ModelMessage(MessageReader reader) {
    texts = List.copyOf(reader.texts);
    thoughts = List.copyOf(reader.thoughts);
    toolCalls = List.copyOf(reader.calls);
    results = List.copyOf(reader.results);
  }

  /** Reads a message, an answer, or a part of one. */
  public static ModelMessage of(JsonValue value) {
    MessageReader reader = new MessageReader();
    reader.read(Objects.requireNonNull(value, "value"), 0);
    return new ModelMessage(reader);
  }

  /**
   * Reads the message in a record of a different tool: the record itself if it states a role, or
   * else the first of its members {@code message}, {@code payload}, {@code llm_message} and
   * {@code content} that does. Empty if there is none.
   */
  public static ModelMessage inRecord(JsonValue value) {
    MessageReader reader = new MessageReader();
    if (value instanceof JsonObject record) {
      reader.read(MessageReader.messageIn(record), 0);
    }
    return new ModelMessage(reader);
  }

  /** The texts for the reader of the message, in order, without those that are blank. */
  public List<String> texts() {
    return texts;
  }

  /** The {@linkplain #texts() texts} in one, separated by line feeds; empty if there are none. */
  public String text() {
    return String.join("\n", texts);
  }

  /** The texts of the reasoning (thinking) of the model, in order. */
  public List<String> thoughts() {
    return thoughts;
  }

  /** The tools that the model asks for, in order. */
  public List<ToolRequest> toolCalls() {
    return toolCalls;
  }

  /** The results of tools that the message returns to the model, in order. */
  public List<JsonValue> toolResults() {
    return results;
  }

  /** Whether there is neither a text nor reasoning, nor a tool call, nor a result. */
  public boolean isEmpty() {
    return texts.isEmpty() && thoughts.isEmpty() && toolCalls.isEmpty() && results.isEmpty();
  }

  /**
   * The message in a few words, for display: its texts, the tools that are asked for as {@code →
   * name(argument: value)}, or else the results or the reasoning. It is untrusted text, and may
   * have several lines.
   */
  public String summary() {
    StringBuilder out = new StringBuilder(String.join(" ", texts));
    String separator = out.isEmpty() ? "→ " : "  → ";
    for (ToolRequest call : toolCalls) {
      out.append(separator).append(call);
      separator = ", ";
    }
    if (out.isEmpty()) {
      for (JsonValue result : results) {
        String text = of(result).text();
        out.append(out.isEmpty() ? "" : " ").append(text.isEmpty() ? result : text);
      }
    }
    if (out.isEmpty()) {
      out.append(String.join(" ", thoughts));
    }
    return out.toString();
  }

  /** Returns the {@linkplain #summary() summary}. */
  @Override
  public String toString() {
    return summary();
  }
}
