/**
 * Conversion between doubles and decimal text: the shortest digits that read back to the same
 * double ({@link dev.agentreplay.model.number.ShortestDecimal}), their layout in serde_json,
 * ECMAScript and Python ({@link dev.agentreplay.model.number.NumberLayout}), and the double nearest
 * to a decimal ({@link dev.agentreplay.model.number.NearestDouble}).
 * {@link java.lang.Double#toString(double)} of JDK 17 does not always return the shortest digits.
 *
 * <p>All types are immutable or stateless, and safe for use by several threads. The rules for
 * numbers in canonical JSON are described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.model.number;

import org.jspecify.annotations.NullMarked;
