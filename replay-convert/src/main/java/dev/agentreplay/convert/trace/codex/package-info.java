/**
 * Reads the rollouts of Codex, one JSON line a record, and the stream of {@code codex exec --json}.
 *
 * <p>A rollout has no version of its schema, and its words changed several times. The records are
 * therefore read by their structure: in an envelope with {@code type} and {@code payload}, or, as
 * the first versions wrote them, without one. The same message may be in it twice, as an item of
 * the conversation and as an event for the user interface. It is written once.
 */
@NullMarked
package dev.agentreplay.convert.trace.codex;

import org.jspecify.annotations.NullMarked;
