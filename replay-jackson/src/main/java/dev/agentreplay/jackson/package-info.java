/**
 * Conversion between JSON values, Jackson trees and the caller's classes without loss of digits.
 *
 * <pre>{@code
 * record Move(String piece, int rank, float score) {}
 * JacksonBridge jackson = JacksonBridge.defaults();
 * JsonValue value = jackson.toValue(new Move("rook", 7, 0.5f)); // {"piece":"rook","rank":7,...}
 * JsonNode node = jackson.toNode(value);
 * Move move = jackson.toObject(value, Move.class);
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.jackson.JacksonBridge} converts values, trees and objects.
 * {@link dev.agentreplay.jackson.JsonValueModule} lets any {@code ObjectMapper} read and write
 * classes with members of type {@link dev.agentreplay.model.json.JsonValue}:
 *
 * <pre>{@code
 * record Step(String tool, JsonObject params) {}
 * ObjectMapper mapper = new ObjectMapper().registerModule(new JsonValueModule());
 * Step step = mapper.readValue("{\"tool\":\"grep\",\"params\":{\"id\":1.50}}", Step.class);
 * String same = mapper.writeValueAsString(step);
 * }</pre>
 *
 * <p>{@link dev.agentreplay.jackson.ConvertingSerializer} and
 * {@link dev.agentreplay.jackson.ConvertingDeserializer} do the same for a class with a JSON form
 * of its own.
 *
 * <p>The guarantees are those of {@link dev.agentreplay.model.json.JsonValue}: input without a
 * canonical form is refused with its JSON Pointer (RFC 6901), and deep trees and cyclic objects
 * cause an exception rather than a stack overflow. A value converted to a tree and back has the
 * same canonical forms and hashes ({@code docs/format.md}, "Canonical JSON").
 *
 * <p>A {@code float} is converted to the double with the same value, as by
 * {@link dev.agentreplay.model.json.JsonValue#of} and by Rust's serde_json: {@code 0.8f} becomes
 * {@code 0.800000011920929}. Text written by Jackson itself has {@code 0.8} instead, which is a
 * different double with a different hash.
 *
 * <p>This is the only package with Jackson types in its API; it requires Jackson 2.18 or later. All
 * classes are immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.jackson;

import org.jspecify.annotations.NullMarked;
