/**
 * Mechanisms of isolation, and their selection:
 * {@link dev.agentreplay.sandbox.mechanism.Sandboxes#select} returns the first that is shown to
 * work.
 */
@NullMarked
package dev.agentreplay.sandbox.mechanism;

import org.jspecify.annotations.NullMarked;
