/**
 * Spans of OpenTelemetry: OTLP JSON, the exports of Tempo and Jaeger, and the dumps of tracers,
 * with the attributes of the GenAI conventions, of OpenInference, and of tools before them.
 */
@NullMarked
package dev.agentreplay.convert.trace.otel;

import org.jspecify.annotations.NullMarked;
