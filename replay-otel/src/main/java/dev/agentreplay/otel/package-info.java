/**
 * Sends sessions to an exporter of OpenTelemetry spans.
 *
 * <pre>{@code
 * try (LiveSpans spans = LiveSpans.to(exporter, TraceFormat.OTEL)) {
 *   spans.follow(Path.of("sessions/fix-auth/REPLAY.jsonl"));
 * }
 * }</pre>
 *
 * <p>The log is followed, so that the agent does not wait for the exporter. docs/conversion.md
 * describes the spans and their attributes.
 */
@NullMarked
package dev.agentreplay.otel;

import org.jspecify.annotations.NullMarked;
