/**
 * Single lines of a log that are read again, with the prompts of model calls in full, and what its
 * answers request.
 */
@NullMarked
package dev.agentreplay.engine.lines;

import org.jspecify.annotations.NullMarked;
