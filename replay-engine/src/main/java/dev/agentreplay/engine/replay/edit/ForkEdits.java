package dev.agentreplay.engine.replay.edit;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkChange;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the changes of a fork in requests and results. Not safe for use by several threads at the
 * same time.
 */
public final class ForkEdits {

  private final List<ForkChange> changes;

  /** The change of the model call at the point; null before it, and if there is none. */
  private @Nullable PromptEdit prompt;

  private @Nullable String lane;

  /** Creates the edits of a fork. */
  public ForkEdits(Fork fork) {
    this.changes = fork.changes();
  }

  /** Whether the result at the point is changed. */
  public boolean changeResult() {
    return changes.stream().anyMatch(ForkChange.ResultValue.class::isInstance);
  }

  /** Whether the request at the point is changed. */
  public boolean changeRequest() {
    return changes.stream()
        .anyMatch(change ->
            change instanceof ForkChange.RequestValue || change instanceof ForkChange.Prompt);
  }

  /**
   * Returns the request at the point with its changes.
   *
   * @param agent the id of the agent that makes it; null for the main agent
   * @throws IllegalArgumentException if a change does not fit it
   */
  public ReplayEvent atPoint(ReplayEvent call, @Nullable String agent) {
    ReplayEvent edited = call;
    for (ForkChange change : changes) {
      if (change instanceof ForkChange.RequestValue set) {
        edited = edited instanceof ToolCall tool ? edit(tool, set) : edit((ModelCall) edited, set);
      } else if (change instanceof ForkChange.Prompt given) {
        if (!(edited instanceof ModelCall model)) {
          throw new IllegalArgumentException("a call of a tool has no prompt");
        }
        edited = model.withPrompt(Content.of(given.prompt()));
      }
    }
    if (call instanceof ModelCall before && edited instanceof ModelCall after) {
      prompt = new PromptEdit(before, after);
      lane = agent;
    }
    return edited;
  }

  /** Returns a request after the point, changed if it continues the one at the point. */
  public ReplayEvent afterPoint(ReplayEvent call, @Nullable String agent) {
    return call instanceof ModelCall model && prompt != null && Objects.equals(agent, lane)
        ? prompt.continuing(model)
        : call;
  }

  private static ToolCall edit(ToolCall call, ForkChange.RequestValue set) {
    if (!set.pointer().tokens().get(0).equals("params")) {
      throw new IllegalArgumentException("a call of a tool has no \"%s\"".formatted(set.pointer()));
    }
    JsonValue params = known(call.params().value(), "parameters");
    return call.withParams(Content.of(ValueEdit.set(params, inner(set.pointer()), set.value())));
  }

  private static ModelCall edit(ModelCall call, ForkChange.RequestValue set) {
    JsonPointer inner = inner(set.pointer());
    switch (set.pointer().tokens().get(0)) {
      case "model" -> {
        if (inner.tokens().isEmpty() && set.value() instanceof JsonString name) {
          return new ModelCall(
              call.id(), name.value(), call.prompt(), call.parameters(), call.meta());
        }
        throw new IllegalArgumentException("the name of a model is a string: " + set.value());
      }
      case "prompt" -> {
        JsonValue prompt = known(call.prompt().value(), "prompt");
        JsonValue edited = ValueEdit.set(prompt, inner, set.value());
        return call.withPrompt(Content.of(object(edited, "the prompt")));
      }
      case "parameters" -> {
        JsonValue edited = ValueEdit.set(call.parameters().json(), inner, set.value());
        return call.withParameters(new Parameters(object(edited, "the parameters")));
      }
      default ->
        throw new IllegalArgumentException(
            "a call of a model has no \"%s\"".formatted(set.pointer()));
    }
  }

  /**
   * Returns the result at the point with its changes. A stream whose text is changed is served as
   * one piece.
   *
   * @throws IllegalArgumentException if a change does not fit it
   */
  public ReplayEvent result(ReplayEvent result) {
    ReplayEvent edited = result;
    for (ForkChange change : changes) {
      if (change instanceof ForkChange.ResultValue set) {
        edited =
            edited instanceof ToolResult tool ? edit(tool, set) : edit((ModelResult) edited, set);
      }
    }
    return edited;
  }

  private static ToolResult edit(ToolResult result, ForkChange.ResultValue set) {
    JsonPointer inner = inner(set.pointer());
    switch (set.pointer().tokens().get(0)) {
      case "output" -> {
        JsonValue output = Objects.requireNonNullElse(result.output().value(), JsonNull.NULL);
        return new ToolResult(
            result.id(),
            Content.of(ValueEdit.set(output, inner, set.value())),
            result.outcome(),
            result.stepUtility(),
            result.timing().withChunks(Chunks.NONE),
            result.sideEffects(),
            result.meta());
      }
      case "exit_code" -> {
        Integer code = exitCode(set, inner);
        return result.withOutcome(Outcome.of(code == null ? null : code == 0, code, null));
      }
      default ->
        throw new IllegalArgumentException(
            "the result of a tool has no \"%s\"".formatted(set.pointer()));
    }
  }

  private static @Nullable Integer exitCode(ForkChange.ResultValue set, JsonPointer inner) {
    if (inner.tokens().isEmpty() && set.value() instanceof JsonNull) {
      return null;
    }
    try {
      if (inner.tokens().isEmpty() && set.value() instanceof JsonNumber number) {
        return Math.toIntExact(number.asLong());
      }
    } catch (ArithmeticException notAnInteger) {
      // reported below
    }
    throw new IllegalArgumentException("an exit code is an integer or null: " + set.value());
  }

  private static ModelResult edit(ModelResult result, ForkChange.ResultValue set) {
    if (!set.pointer().tokens().get(0).equals("answer")) {
      throw new IllegalArgumentException(
          "the result of a model has no \"%s\"".formatted(set.pointer()));
    }
    JsonValue answer = Objects.requireNonNullElse(result.answer().value(), JsonNull.NULL);
    JsonValue edited = ValueEdit.set(answer, inner(set.pointer()), set.value());
    Timing timing = result.timing();
    Chunks chunks = timing.chunks().isEmpty() || !(edited instanceof JsonString text)
        ? Chunks.NONE
        : whole(text.value());
    return new ModelResult(
        result.id(),
        Content.of(edited),
        result.finish(),
        result.tokens(),
        timing.withChunks(chunks),
        result.meta());
  }

  private static Chunks whole(String text) {
    return text.isEmpty()
        ? Chunks.NONE
        : Chunks.builder().add(0, text.codePointCount(0, text.length())).build();
  }

  private static JsonPointer inner(JsonPointer pointer) {
    return new JsonPointer(pointer.tokens().subList(1, pointer.tokens().size()));
  }

  private static JsonValue known(@Nullable JsonValue value, String what) {
    if (value == null) {
      throw new IllegalArgumentException("the %s of the call are not known".formatted(what));
    }
    return value;
  }

  private static JsonObject object(JsonValue value, String what) {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw new IllegalArgumentException("%s must be an object: %s".formatted(what, value));
  }
}
