/**
 * The settings and tools that a recording states, and their comparison with those of its replay.
 */
@NullMarked
package dev.agentreplay.engine.replay.settings;

import org.jspecify.annotations.NullMarked;
