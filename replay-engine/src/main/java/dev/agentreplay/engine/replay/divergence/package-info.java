/** Counts and consequences of the divergences of a replay. Internal to the module. */
@NullMarked
package dev.agentreplay.engine.replay.divergence;

import org.jspecify.annotations.NullMarked;
