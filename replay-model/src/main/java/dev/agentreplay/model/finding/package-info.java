/**
 * The vocabulary of findings, which readers, verifiers and converters share: a
 * {@link dev.agentreplay.model.finding.Finding} has a stable
 * {@link dev.agentreplay.model.finding.FindingCode}, a
 * {@link dev.agentreplay.model.finding.Severity} and the
 * {@link dev.agentreplay.model.finding.Position} of a byte and of the line that it is in.
 *
 * <p>All types are immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.model.finding;

import org.jspecify.annotations.NullMarked;
