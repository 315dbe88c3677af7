package dev.agentreplay.io.recording;

import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LenientJson;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates the events of calls and results from Java values of any type, as a recorder does. */
public final class RecordedEvents {

  private static final String UNRECORDED = "output_unrecorded";
  private static final String NO_CHUNKS = "chunks_unrecorded";

  private RecordedEvents() {}

  /** Fails unless a call has an id. */
  static void requireId(String id) {
    if (id.isBlank()) {
      throw new IllegalArgumentException("a call needs an id, found \"" + id + "\"");
    }
  }

  /**
   * Creates the call of a tool.
   *
   * @throws IllegalArgumentException if the tool has no name, or a part of the parameters has no
   *     JSON form
   */
  public static ToolCall toolCall(String id, String tool, @Nullable Object params) {
    if (tool.isBlank()) {
      throw new IllegalArgumentException("a call needs the name of a tool, found \"" + tool + "\"");
    }
    if (params instanceof JsonValue json) {
      return ToolCall.of(id, tool, json);
    }
    ValueConversion values = new ValueConversion();
    return ToolCall.of(id, tool, values.exact(params, "/params")).withMeta(values.meta());
  }

  /** Fails if a value describes a result, and is not its output or answer. */
  private static void requireValue(@Nullable Object value) {
    if (value instanceof Outcome
        || value instanceof Failure
        || value instanceof Completion
        || value instanceof TokenCounts) {
      throw new IllegalArgumentException(
          "expected the output of a tool or the answer of a model, found a "
              + value.getClass().getSimpleName());
    }
  }

  /** Creates the result of a tool; parts without a JSON form are marked. */
  public static ToolResult toolResult(String id, @Nullable Object output) {
    requireValue(output);
    ValueConversion values = new ValueConversion();
    return ToolResult.of(id, values.any(output, "/output")).withMeta(values.meta());
  }

  /** Creates the result of a tool whose returned value cannot be recorded, with the reason. */
  static ToolResult unrecorded(String id, Throwable reason) {
    return ToolResult.of(id, JsonNull.NULL)
        .withMeta(Meta.NONE.withExtra(JsonObject.of(UNRECORDED, reason(reason))));
  }

  /**
   * The results to record in place of one that was refused, the best first: without its pieces, if
   * it was streamed, and without the output of a tool.
   */
  static List<ReplayEvent> rest(ReplayEvent result, RuntimeException refused) {
    List<ReplayEvent> rest = new ArrayList<>();
    Meta meta = result.meta();
    Meta marked = meta.withExtra(meta.extra().with(NO_CHUNKS, reason(refused)));
    if (result instanceof ToolResult tool) {
      if (!tool.timing().chunks().isEmpty()) {
        rest.add(tool.withTiming(tool.timing().withChunks(Chunks.NONE)).withMeta(marked));
      }
      ToolResult unrecorded = unrecorded(tool.id(), refused);
      Meta reduced = meta.withExtra(unrecorded.meta().extra());
      Provenance provenance = Provenance.of(tool);
      rest.add(unrecorded
          .withMeta(provenance == null ? reduced : provenance.addTo(reduced))
          .withOutcome(tool.outcome())
          .withLatencyMillis(tool.latencyMillis()));
    } else if (result instanceof ModelResult model && !model.timing().chunks().isEmpty()) {
      rest.add(model.withTiming(model.timing().withChunks(Chunks.NONE)).withMeta(marked));
    }
    return rest;
  }

  private static String reason(Throwable reason) {
    return text(
        reason.getClass().getName() + ": " + Excerpt.of(String.valueOf(reason.getMessage())));
  }

  /** A text in which each unpaired surrogate is replaced by U+FFFD. */
  static String text(String text) {
    return LenientJson.of(text, "").value().asString();
  }

  /**
   * Creates the call of a model.
   *
   * @throws IllegalArgumentException if a part of prompt or parameters has no JSON form, or they do
   *     not have the types that {@link SessionRecorder#modelCall(String, Object, Object)} accepts
   */
  public static ModelCall modelCall(
      String id, String model, Object prompt, @Nullable Object parameters) {
    ValueConversion values = new ValueConversion();
    ModelCall call = ModelCall.of(id, model, prompt(values, prompt));
    if (parameters instanceof Parameters given) {
      call = call.withParameters(given);
    } else if (parameters != null) {
      JsonValue json = values.exact(parameters, "/parameters");
      call = call.withParameters(new Parameters(object(json, "/parameters: expected")));
    }
    return call.withMeta(values.meta());
  }

  private static Prompt prompt(ValueConversion values, Object prompt) {
    if (prompt instanceof Prompt given) {
      return given;
    }
    boolean isText = prompt instanceof CharSequence || prompt instanceof JsonString;
    boolean isList = prompt instanceof Iterable<?> || prompt.getClass().isArray();
    String pointer =
        isText ? "/prompt/messages/0/content" : isList ? "/prompt/messages" : "/prompt";
    JsonValue json = values.exact(prompt, pointer);
    if (json instanceof JsonString text) {
      return Prompt.of(text.value());
    }
    return json instanceof JsonArray messages
        ? Prompt.of(messages)
        : new Prompt(object(json, "/prompt: expected a text, messages or"));
  }

  private static JsonObject object(JsonValue json, String expected) {
    if (json instanceof JsonObject object) {
      return object;
    }
    throw new IllegalArgumentException(
        "%s an object, found a JSON %s".formatted(expected, json.typeName()));
  }

  /** Creates the answer of a model; parts without a JSON form are marked. */
  public static ModelResult modelResult(String id, @Nullable Object answer) {
    requireValue(answer);
    ValueConversion values = new ValueConversion();
    return ModelResult.of(id, values.any(answer, "/answer")).withMeta(values.meta());
  }
}
