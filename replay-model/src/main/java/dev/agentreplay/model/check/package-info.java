/**
 * The rules for events that writers, readers and verifiers share.
 *
 * <pre>{@code
 * ToolResult result = ToolResult.of("call-1", "ok").withStepUtility(1.5);
 * List<Finding> findings = EventRules.check(result); // VALUE_OUT_OF_RANGE
 *
 * CallPairing<String> pairing = new CallPairing<>();
 * pairing.call("call-1", null, "file_read");
 * String tool = pairing.result(result.id(), result.meta().agent()); // "file_read"
 * }</pre>
 *
 * <p>{@link dev.agentreplay.model.check.EventRules} checks the ranges of numbers, and is safe for
 * use by several threads. {@link dev.agentreplay.model.check.CallPairing} pairs results with calls
 * by id and occurrence, and is not. The rules are described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.model.check;

import org.jspecify.annotations.NullMarked;
