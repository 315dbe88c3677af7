/**
 * Findings: the faults and facts that readers, verifiers and converters report about a log.
 *
 * <pre>{@code
 * Position position = new Position(3, 120); // line 3, which begins at byte 120
 * Finding finding = Finding.of(FindingCode.FIELD_MISSING, "tool is missing").at(position);
 * Severity severity = finding.severity(); // ERROR
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.model.finding.Finding} has a stable
 * {@link dev.agentreplay.model.finding.FindingCode}, a
 * {@link dev.agentreplay.model.finding.Severity} and the
 * {@link dev.agentreplay.model.finding.Position} of a byte and of its line. Programs rely on the
 * code; the message is for people.
 *
 * <p>All types are immutable and safe for use by several threads. docs/findings.md describes each
 * code, its causes and what to do.
 */
@NullMarked
package dev.agentreplay.model.finding;

import org.jspecify.annotations.NullMarked;
