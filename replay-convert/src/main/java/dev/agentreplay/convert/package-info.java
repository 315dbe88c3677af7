/**
 * Converts logs between the dialects of the specifications, and to and from bundles.
 *
 * <pre>{@code
 * ConversionReport report = SessionConverter.convert(
 *     Path.of("sess.jsonl"), Path.of("draft.jsonl"), SessionFormat.DRAFT, ConvertOptions.defaults());
 * report.ledger().entries().forEach(System.out::println);
 * }</pre>
 *
 * <p>Nothing is dropped silently: a ledger lists every member that the result does not have
 * unchanged. A receipt is created only if the log and its own receipt verify. docs/conversion.md
 * describes the formats.
 */
@NullMarked
package dev.agentreplay.convert;

import org.jspecify.annotations.NullMarked;
