/**
 * Reads the chats of Gemini CLI: a JSON document, or JSON lines since April 2026, in which a
 * message is appended again whenever it changes.
 */
@NullMarked
package dev.agentreplay.convert.trace.gemini;

import org.jspecify.annotations.NullMarked;
