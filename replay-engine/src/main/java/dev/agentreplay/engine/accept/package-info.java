/**
 * Accepted divergences: differences from a recording that are intended, as data next to the
 * recording, so that it stays useful when the agent changes.
 *
 * <pre>{@code
 * Session recording = Session.open(Path.of("sessions/fix-auth"));
 * Acceptance acceptance = Acceptance.read(recording, LocalDate.now(ZoneOffset.UTC));
 * DiffOptions options = acceptance.applyTo(DiffOptions.defaults());
 * SessionDiff diff = SessionDiff.between(recording, Session.open(after), options);
 * acceptance.notes(List.of(diff)).forEach(System.err::println);
 * }</pre>
 *
 * <p>{@link dev.agentreplay.engine.accept.AcceptedDivergences} is the file {@code ACCEPTED.json},
 * {@link dev.agentreplay.engine.accept.Acceptance} what it has for one comparison, and
 * {@link dev.agentreplay.engine.accept.Proposal} a divergence that can be accepted. A divergence is
 * recognized by its fingerprint; {@code docs/diffing.md} has the formula. All types are immutable
 * and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.engine.accept;

import org.jspecify.annotations.NullMarked;
