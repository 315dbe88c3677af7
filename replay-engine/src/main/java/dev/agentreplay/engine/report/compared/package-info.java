/** The comparison of two values or texts for a report, with the parts that rules replaced. */
@NullMarked
package dev.agentreplay.engine.report.compared;

import org.jspecify.annotations.NullMarked;
