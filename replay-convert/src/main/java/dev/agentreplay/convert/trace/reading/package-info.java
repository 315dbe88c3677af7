/**
 * The parts that the readers of all formats share: the source with its lines and records, the
 * account of their members, and the session that is written from them.
 *
 * <p>A {@link dev.agentreplay.convert.trace.reading.TraceReader} takes records from a
 * {@link dev.agentreplay.convert.trace.reading.TraceSource}, and writes events to a
 * {@link dev.agentreplay.convert.trace.reading.TraceSession}. Each record says for each member that
 * it moves, derives or drops what became of it; all that is left is kept with the first event of
 * the record. So nothing of a source can get lost unnoticed.
 */
@NullMarked
package dev.agentreplay.convert.trace.reading;

import org.jspecify.annotations.NullMarked;
