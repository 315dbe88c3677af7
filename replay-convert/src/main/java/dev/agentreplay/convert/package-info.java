/**
 * Conversion of logs between the dialects of the specifications, and to and from bundles.
 *
 * <pre>{@code
 * ConversionReport report = SessionConverter.convert(
 *     Path.of("sess.jsonl"), Path.of("draft.jsonl"), SessionFormat.DRAFT, ConvertOptions.defaults());
 * report.ledger().entries().forEach(System.out::println);
 * }</pre>
 *
 * <p>Nothing is dropped silently: a ledger lists the members that are not in the result as they
 * were. A receipt is made only if the log and its own receipt verify. The formats are described in
 * docs/conversion.md.
 */
@NullMarked
package dev.agentreplay.convert;

import org.jspecify.annotations.NullMarked;
