/**
 * Jackson's trees and the caller's classes to JSON values and back, with no digit lost on the way.
 *
 * <pre>{@code
 * record Move(String piece, int rank, float score) {}
 * JacksonBridge jackson = JacksonBridge.defaults();
 * JsonValue value = jackson.toValue(new Move("rook", 7, 0.5f)); // {"piece":"rook","rank":7,...}
 * JsonNode node = jackson.toNode(value);
 * Move move = jackson.toObject(value, Move.class);
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.jackson.JacksonBridge} converts.
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
 * {@link dev.agentreplay.jackson.ConvertingDeserializer} do so for a class of the caller's that has
 * a JSON form of its own.
 *
 * <p>Guaranteed is what {@link dev.agentreplay.model.json.JsonValue} guarantees: what has no
 * canonical form is refused, with the JSON Pointer (RFC 6901) of where it stands, and deep trees
 * and objects that hold themselves end in an exception, not in an overflow of the stack. A value
 * that becomes a tree and a value again has the canonical forms and the hashes it had.
 *
 * <p>A {@code float} is the double that it is, as {@link dev.agentreplay.model.json.JsonValue#of}
 * and Rust's serde_json have it: {@code 0.8f} is {@code 0.800000011920929}. Text that Jackson
 * itself writes says {@code 0.8} instead, which is another double, and has another hash.
 *
 * <p>This is the only package that shows types of Jackson, of which 2.18 or later is needed. All
 * classes are immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.jackson;

import org.jspecify.annotations.NullMarked;
