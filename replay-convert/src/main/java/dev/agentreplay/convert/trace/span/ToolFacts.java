package dev.agentreplay.convert.trace.span;

import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The facts that a span states of the execution of a tool.
 *
 * @param id the id of the call; null if it states none
 * @param name the name of the tool
 * @param arguments the arguments; null if it states none
 * @param output the output; null if it states none
 * @param outcome whether it succeeded
 */
public record ToolFacts(
    @Nullable String id,
    String name,
    @Nullable JsonValue arguments,
    @Nullable JsonValue output,
    Outcome outcome) {}
