/**
 * The dialects that logs and receipts are written in.
 *
 * <pre>{@code
 * Decoded decoded = Dialect.EVENT.decode(JsonText.parse(line).asObject());
 * ReplayEvent event = decoded.event();
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.canonical.dialect.Dialect} turns the object of a line into an event
 * and back. What it does not know stays in {@link dev.agentreplay.model.Meta#extra()} and is
 * written back; what it cannot read stays there too, with a finding.
 * {@link dev.agentreplay.canonical.dialect.LineEncoder} writes the canonical line of an event, and
 * fills in its time and hashes. {@link dev.agentreplay.canonical.dialect.ReceiptCodec} reads and
 * writes receipts.
 *
 * <p>A {@link dev.agentreplay.canonical.dialect.DialectConverter} converts lines to another
 * dialect; its {@link dev.agentreplay.canonical.dialect.ConversionLedger} says what became of every
 * member. A {@link dev.agentreplay.canonical.dialect.ReplayBundle} is a session as one document,
 * which {@link dev.agentreplay.canonical.dialect.BundleWriter} writes.
 */
@NullMarked
package dev.agentreplay.canonical.dialect;

import org.jspecify.annotations.NullMarked;
