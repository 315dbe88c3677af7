/**
 * Replays in a sandbox: a {@link dev.agentreplay.sandbox.replay.ReplaySandbox} restores the
 * recorded workspace, and starts programs in it under the recorded circumstances. Requires
 * {@code replay-engine}, which the module itself does not.
 */
@NullMarked
package dev.agentreplay.sandbox.replay;

import org.jspecify.annotations.NullMarked;
