/**
 * Doubles as decimal text: the shortest digits that give the same double again
 * ({@link dev.agentreplay.model.number.ShortestDecimal}), their layout as serde_json, ECMAScript
 * and Python have it ({@link dev.agentreplay.model.number.NumberLayout}), and the double that is
 * nearest to a text ({@link dev.agentreplay.model.number.NearestDouble}). JDK 17's
 * {@link java.lang.Double#toString(double)} is not always the shortest.
 */
@NullMarked
package dev.agentreplay.model.number;

import org.jspecify.annotations.NullMarked;
