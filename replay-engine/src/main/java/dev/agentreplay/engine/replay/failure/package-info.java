/**
 * The exceptions of recorded failures, which a {@linkplain dev.agentreplay.engine.replay replay}
 * throws again.
 *
 * <pre>{@code
 * RestoredExceptions exceptions = RestoredExceptions.ofJdk();
 * Exception restored = exceptions.restore(Failure.of("java.io.IOException", "connection reset"));
 * }</pre>
 */
@NullMarked
package dev.agentreplay.engine.replay.failure;

import org.jspecify.annotations.NullMarked;
