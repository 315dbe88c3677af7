/** The comparison of the settings that a recording states with those of its replay. */
@NullMarked
package dev.agentreplay.engine.replay.settings;

import org.jspecify.annotations.NullMarked;
