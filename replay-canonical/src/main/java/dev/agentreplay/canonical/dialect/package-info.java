/**
 * The dialects of logs and receipts: decoding JSON objects into events, encoding events as
 * canonical lines, and conversion between dialects.
 *
 * <pre>{@code
 * Decoded decoded = Dialect.EVENT.decode(JsonText.parse(line).asObject());
 * ReplayEvent event = decoded.event();
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.canonical.dialect.Dialect} converts the JSON object of a line to an
 * event and back. Unknown members stay in {@link dev.agentreplay.model.Meta#extra()} and are
 * written back; so do members that cannot be read, which also cause a finding. Decoding never
 * fails. {@link dev.agentreplay.canonical.dialect.LineEncoder} writes the canonical line of an
 * event and fills in its time and hashes. {@link dev.agentreplay.canonical.dialect.ReceiptCodec}
 * reads and writes receipts.
 *
 * <p>A {@link dev.agentreplay.canonical.dialect.DialectConverter} converts lines to another
 * dialect; its {@link dev.agentreplay.canonical.dialect.ConversionLedger} lists every member that
 * was changed, added or dropped. A {@link dev.agentreplay.canonical.dialect.ReplayBundle} is a
 * session as one JSON document, written by {@link dev.agentreplay.canonical.dialect.BundleWriter}.
 *
 * <p>Dialects, codecs and decoded values are immutable and safe for use by several threads.
 * Encoders, converters, ledgers and writers are not. {@code docs/format.md} specifies the dialects
 * member by member.
 */
@NullMarked
package dev.agentreplay.canonical.dialect;

import org.jspecify.annotations.NullMarked;
