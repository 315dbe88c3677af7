/**
 * Immutable JSON values that keep the text of numbers and the order of members.
 *
 * <pre>{@code
 * JsonObject params = JsonObject.of("path", "src/auth.rs", "limit", 20);
 * String path = params.at("/path").asString();
 * JsonObject wider = params.with("limit", 40);
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.model.json.JsonValue} is a string, number, boolean, null, array or
 * object. Numbers keep their text, so that a 64-bit id survives; two numbers are equal when their
 * texts are. Objects keep the order of their members, but equality ignores it. {@code toString} is
 * JSON.
 *
 * <p>Every value can be written in the canonical form {@code serde} ({@code jcs} refuses integers
 * that it would round): strings do not have lone surrogates, numbers are finite as a double, the
 * names within an object are distinct, and the depth is at most
 * {@link dev.agentreplay.model.json.JsonValue#MAX_DEPTH}. Methods that would create a value that
 * breaks this throw {@link java.lang.IllegalArgumentException}. All types except
 * {@link dev.agentreplay.model.json.JsonObject.Builder} are immutable and safe to share between
 * threads. The canonical forms are described in docs/format.md.
 *
 * <p>A long value that was read from a log may be created when it is first used, from the bytes of
 * its line, which it keeps until then. Such a line is at most four times as long as the value; one
 * of up to 4 KiB may be kept by the text of a time or a hash.
 */
@NullMarked
package dev.agentreplay.model.json;

import org.jspecify.annotations.NullMarked;
