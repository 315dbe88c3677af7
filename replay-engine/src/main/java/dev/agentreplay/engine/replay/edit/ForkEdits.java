package dev.agentreplay.engine.replay.edit;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkChange;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the changes of a fork in requests and results. Not safe for use by several threads at the
 * same time.
 */
public final class ForkEdits {

  private final Map<Long, List<ForkChange.OfLine>> changes = new HashMap<>();

  /** The changes of the model calls of each lane, the last one first. */
  private final Map<@Nullable String, Deque<PromptEdit>> prompts = new HashMap<>();

  /** Creates the edits of a fork. */
  public ForkEdits(Fork fork) {
    for (ForkChange change : fork.changes()) {
      if (change instanceof ForkChange.OfLine of) {
        changes.computeIfAbsent(of.line(), line -> new ArrayList<>()).add(of);
      }
    }
  }

  /** The lines of the exchanges and values that are changed. */
  public Set<Long> lines() {
    return changes.keySet();
  }

  private Stream<ForkChange.OfLine> of(@Nullable Long line) {
    return changes.getOrDefault(line, List.of()).stream();
  }

  /** Whether the result of the exchange on a line is changed. */
  public boolean changesResult(@Nullable Long line) {
    return of(line)
        .anyMatch(change ->
            change instanceof ForkChange.ResultValue || change instanceof ForkChange.Result);
  }

  /**
   * Returns a request with its changes: those of the exchange that it was matched with, and those
   * of an earlier one of its lane that it continues.
   *
   * @param line the line of the recorded call; null if none matches it
   * @param agent the id of the agent that makes it; null for the main agent
   * @throws IllegalArgumentException if a change does not fit it
   */
  public ReplayEvent request(ReplayEvent call, @Nullable Long line, @Nullable String agent) {
    ReplayEvent edited = call;
    for (PromptEdit earlier : prompts.getOrDefault(agent, new ArrayDeque<>())) {
      if (call instanceof ModelCall model && edited.equals(call)) {
        edited = earlier.continuing(model);
      }
    }
    boolean isChanged = false;
    for (ForkChange change : of(line).toList()) {
      if (change instanceof ForkChange.RequestValue set) {
        edited = edited instanceof ToolCall tool ? edit(tool, set) : edit((ModelCall) edited, set);
        isChanged = true;
      } else if (change instanceof ForkChange.Prompt given) {
        if (!(edited instanceof ModelCall model)) {
          throw new IllegalArgumentException("a call of a tool has no prompt");
        }
        edited = model.withPrompt(Content.of(given.prompt()));
        isChanged = true;
      }
    }
    if (isChanged && call instanceof ModelCall before && edited instanceof ModelCall after) {
      prompts
          .computeIfAbsent(agent, lane -> new ArrayDeque<>())
          .push(new PromptEdit(before, after));
    }
    return edited;
  }

  /** Returns the recorded value on a line with its change. */
  public JsonValue value(JsonValue recorded, long line) {
    JsonValue edited = recorded;
    for (ForkChange change : of(line).toList()) {
      edited = change instanceof ForkChange.Value set ? set.value() : edited;
    }
    return edited;
  }

  private static ToolCall edit(ToolCall call, ForkChange.RequestValue set) {
    if (!set.pointer().tokens().get(0).equals("params")) {
      throw new IllegalArgumentException("a call of a tool has no \"%s\"".formatted(set.pointer()));
    }
    JsonValue params = known(call.params().value(), "parameters");
    return call.withParams(Content.of(edited(params, set)));
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
        JsonValue edited = edited(prompt, set);
        return call.withPrompt(Content.of(object(edited, "the prompt")));
      }
      case "parameters" -> {
        JsonValue edited = edited(call.parameters().json(), set);
        return call.withParameters(new Parameters(object(edited, "the parameters")));
      }
      default ->
        throw new IllegalArgumentException(
            "a call of a model has no \"%s\"".formatted(set.pointer()));
    }
  }

  /**
   * Returns a result with its changes. A stream whose text is changed is served as one piece.
   *
   * @param line the line of the recorded call
   * @throws IllegalArgumentException if a change does not fit it
   */
  public ReplayEvent result(ReplayEvent result, long line) {
    ReplayEvent edited = result;
    for (ForkChange change : of(line).toList()) {
      if (change instanceof ForkChange.ResultValue set) {
        edited =
            edited instanceof ToolResult tool ? edit(tool, set) : edit((ModelResult) edited, set);
      } else if (change instanceof ForkChange.Result given) {
        if (given.result().kind() != result.kind()) {
          throw new IllegalArgumentException("expected a %s, found a %s"
              .formatted(result.kind().id(), given.result().kind().id()));
        }
        edited = given.result();
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
            Content.of(ValueEdit.set(output, set.pointer(), set.value())),
            result.outcome(),
            result.stepUtility(),
            result.timing().withChunks(Chunks.NONE),
            result.sideEffects(),
            result.meta());
      }
      case Names.EXIT_CODE -> {
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
    JsonValue edited = ValueEdit.set(answer, set.pointer(), set.value());
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

  private static JsonValue edited(JsonValue value, ForkChange.RequestValue set) {
    return set.value() == null
        ? ValueEdit.remove(value, set.pointer())
        : ValueEdit.set(value, set.pointer(), set.value());
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
