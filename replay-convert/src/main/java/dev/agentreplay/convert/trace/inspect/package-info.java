/**
 * Reads the evaluation logs of Inspect: an archive, or one JSON document. Each sample and epoch is
 * a session.
 */
@NullMarked
package dev.agentreplay.convert.trace.inspect;

import org.jspecify.annotations.NullMarked;
