/**
 * Sessions from spans: what tracing tools record as a tree of spans with times is written as the
 * events of a session.
 *
 * <p>The readers of the formats turn their input into
 * {@link dev.agentreplay.convert.trace.span.Span}s, and a
 * {@link dev.agentreplay.convert.trace.span.Vocabulary} states what the attributes of a span mean.
 * The tree decides which spans are requests to a model, which lane they belong to, and which ones
 * only wrap another; all other spans are kept as records.
 */
@NullMarked
package dev.agentreplay.convert.trace.span;

import org.jspecify.annotations.NullMarked;
