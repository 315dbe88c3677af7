/**
 * The rules for events that writers, readers and verifiers share.
 * {@link dev.agentreplay.model.check.EventRules} checks the ranges of numbers,
 * {@link dev.agentreplay.model.check.CallPairing} pairs results with calls by id and occurrence.
 *
 * <p>{@code EventRules} is safe for use by several threads, {@code CallPairing} is not. The rules
 * are described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.model.check;

import org.jspecify.annotations.NullMarked;
