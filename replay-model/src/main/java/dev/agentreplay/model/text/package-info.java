/**
 * Untrusted text, shortened and sanitized for display.
 *
 * <pre>{@code
 * String shown = PlainText.of("a\tb"); // "a␉b"
 * String preview = Preview.ofOutput(shown);
 * }</pre>
 *
 * <p>{@link dev.agentreplay.model.text.PlainText} replaces control and invisible characters;
 * {@link dev.agentreplay.model.text.Preview} and {@link dev.agentreplay.model.text.Excerpt} shorten
 * texts.
 *
 * <p>All types except {@link dev.agentreplay.model.text.LabelledText} are safe for use by several
 * threads. Previews in logs are described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.model.text;

import org.jspecify.annotations.NullMarked;
