/**
 * Reads what OpenHands writes: the events of conversations of version 1, in the directory of a
 * conversation, in JSON lines or in a JSON array; the events of earlier versions; and the logs of
 * single model calls.
 */
@NullMarked
package dev.agentreplay.convert.trace.openhands;

import org.jspecify.annotations.NullMarked;
