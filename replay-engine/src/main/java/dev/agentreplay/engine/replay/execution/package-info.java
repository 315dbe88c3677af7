/**
 * The tools and models that a {@linkplain dev.agentreplay.engine.replay replay} executes, and the
 * checks of the parameters that they get.
 *
 * <pre>{@code
 * Executors executors = Executors.none()
 *     .withTool("current_time", ToolExecutor.of(params -> Instant.now().toString()));
 * }</pre>
 *
 * <p>The code of a caller runs on threads of the replay, several at the same time if the agent
 * requests that.
 */
@NullMarked
package dev.agentreplay.engine.replay.execution;

import org.jspecify.annotations.NullMarked;
