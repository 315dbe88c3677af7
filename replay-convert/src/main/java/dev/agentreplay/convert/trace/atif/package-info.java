/**
 * Reads trajectories in the Agent Trajectory Interchange Format of Harbor, versions 1.0 to 1.8: one
 * JSON document a trajectory, with those of its sub-agents in it or in files next to it.
 */
@NullMarked
package dev.agentreplay.convert.trace.atif;

import org.jspecify.annotations.NullMarked;
