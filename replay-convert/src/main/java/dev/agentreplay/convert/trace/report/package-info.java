/**
 * The reports of imports and exports: the formats of traces, the sessions that were written, the
 * faults of the source, and the ledger of its members.
 */
@NullMarked
package dev.agentreplay.convert.trace.report;

import org.jspecify.annotations.NullMarked;
