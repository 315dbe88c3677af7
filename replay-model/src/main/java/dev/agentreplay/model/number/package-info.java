/**
 * Conversion between doubles and decimal text.
 *
 * <pre>{@code
 * ShortestDecimal decimal = ShortestDecimal.of(1e16);
 * String text = NumberLayout.ECMASCRIPT.text(false, decimal); // 10000000000000000
 * }</pre>
 *
 * <p>{@link dev.agentreplay.model.number.ShortestDecimal} finds the shortest digits that read back
 * to the same double, which {@link java.lang.Double#toString(double)} of JDK 17 does not always
 * return; {@link dev.agentreplay.model.number.NumberLayout} lays them out as serde_json, ECMAScript
 * or Python does. {@link dev.agentreplay.model.number.NearestDouble} converts digits and exponent
 * back to the nearest double, or returns NaN if it cannot decide.
 *
 * <p>All types are immutable or stateless, and safe for use by several threads. The rules for
 * numbers in canonical JSON are described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.model.number;

import org.jspecify.annotations.NullMarked;
