/** Reads single lines of a log again, with the prompts of model calls in full. */
@NullMarked
package dev.agentreplay.engine.lines;

import org.jspecify.annotations.NullMarked;
