/**
 * Imports traces of other tools as sessions, and exports sessions to their formats.
 *
 * <pre>{@code
 * ImportReport report = TraceImporter.of(ImportOptions.defaults())
 *     .importFile(Path.of("session.jsonl"), Path.of("sessions/imported"));
 * report.sessions().get(0).ledger().entries().forEach(System.out::println);
 * }</pre>
 *
 * <p>Nothing of a source is lost silently: what has no place in an event is kept next to it in the
 * member {@code imported}, and a ledger states for each member whether it was kept, moved, derived
 * or dropped. A source in which no turn of an agent is recognized is refused. What an imported
 * session proves is the copy: that it has not changed since it was imported. docs/importing.md
 * describes the formats.
 */
@NullMarked
package dev.agentreplay.convert.trace;

import org.jspecify.annotations.NullMarked;
