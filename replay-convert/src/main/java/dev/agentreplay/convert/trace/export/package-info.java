/**
 * The exporters: a session is read into
 * {@link dev.agentreplay.convert.trace.export.ExportedSession}, whose calls have their results, and
 * written as one document of a format by a
 * {@link dev.agentreplay.convert.trace.export.DocumentWriter}.
 *
 * <p>A writer states for each member of an event that it moves, transforms or derives what became
 * of it; all that is left is kept in the document under the name {@code agentreplay}.
 */
@NullMarked
package dev.agentreplay.convert.trace.export;

import org.jspecify.annotations.NullMarked;
