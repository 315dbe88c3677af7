/**
 * The rules that events keep, each in one place for writers, readers and verifiers:
 * {@link dev.agentreplay.model.check.EventRules} knows the ranges of members,
 * {@link dev.agentreplay.model.check.CallPairing} pairs results with calls by id and occurrence.
 */
@NullMarked
package dev.agentreplay.model.check;

import org.jspecify.annotations.NullMarked;
