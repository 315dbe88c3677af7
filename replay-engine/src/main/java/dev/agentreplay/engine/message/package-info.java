/**
 * Messages to and from models, in the formats of their providers.
 *
 * <pre>{@code
 * JsonObject answer = JsonObject.of("role", "assistant", "content", "Fixed.");
 * String text = ModelMessage.of(answer).text(); // Fixed.
 * }</pre>
 *
 * <p>The values of this package are immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.engine.message;

import org.jspecify.annotations.NullMarked;
