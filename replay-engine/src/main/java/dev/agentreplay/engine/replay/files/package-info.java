/**
 * The changes of files that a log states, and those that a replay does not expect. Not exported.
 */
@NullMarked
package dev.agentreplay.engine.replay.files;

import org.jspecify.annotations.NullMarked;
