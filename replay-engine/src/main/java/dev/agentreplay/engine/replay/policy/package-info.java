/**
 * The policy of a {@linkplain dev.agentreplay.engine.replay replay}: its mode, what is served and
 * what is executed, its limits, and its behavior where the recording gives no answer.
 *
 * <pre>{@code
 * ReplayPolicy policy = ReplayPolicy.of(ReplayMode.TOOLS_LIVE)
 *     .withEffect("read_file", Effect.PURE)
 *     .withTool("pay", ReplayAction.REFUSE);
 * }</pre>
 *
 * <p>All types are immutable, and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.engine.replay.policy;

import org.jspecify.annotations.NullMarked;
