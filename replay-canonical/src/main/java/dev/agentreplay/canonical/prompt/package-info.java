/**
 * Prompts that are written as changes of earlier prompts, and read in full.
 *
 * <p>An agent sends its model the whole conversation with each call. A recorder therefore writes
 * the prompt of a call as a {@link dev.agentreplay.model.PromptDelta}: the ranges of an earlier
 * prompt's messages that it repeats, and the messages that are new. A
 * {@link dev.agentreplay.canonical.prompt.PromptHistory} holds the last prompts of a log, from
 * which it restores full prompts, and computes their hashes without hashing the messages again that
 * continue an earlier prompt.
 *
 * <pre>{@code
 * PromptHistory prompts = new PromptHistory(content -> null); // no blobs
 * for (ReplayEvent event : events) {
 *   if (prompts.expand(event) instanceof ModelCall call) {
 *     System.out.println(call.id() + " " + call.prompt().value());
 *   }
 * }
 * }</pre>
 */
@NullMarked
package dev.agentreplay.canonical.prompt;

import org.jspecify.annotations.NullMarked;
