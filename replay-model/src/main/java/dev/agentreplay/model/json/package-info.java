/**
 * Immutable JSON values that keep what the text said.
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
 * <p>Every value that exists can be written in canonical form: strings hold no lone surrogates,
 * numbers are finite as a double, no object has a name twice, and nothing is nested deeper than
 * {@link dev.agentreplay.model.json.JsonValue#MAX_DEPTH}. Values that would break this are refused
 * where they are made, with {@link java.lang.IllegalArgumentException}. All types are immutable and
 * safe to share between threads.
 */
@NullMarked
package dev.agentreplay.model.json;

import org.jspecify.annotations.NullMarked;
