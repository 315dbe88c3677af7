/** Changes of requests and results that a fork makes. Not exported. */
@NullMarked
package dev.agentreplay.engine.replay.edit;

import org.jspecify.annotations.NullMarked;
