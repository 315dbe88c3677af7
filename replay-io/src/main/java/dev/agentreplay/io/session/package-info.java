/**
 * Session directories: finds sessions, opens their logs, reads the values stored next to them, and
 * creates receipts.
 *
 * <pre>{@code
 * for (SessionLocation place : Sessions.find(Path.of("sessions"))) {
 *   try (OpenSession open = place.open();
 *       ReplayReader reader = open.session().reader()) {
 *     System.out.println(place.path() + ": " + reader.read());
 *   }
 * }
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.io.session.Session} has the paths of a session's files: log, receipt,
 * envelope and blobs. {@link dev.agentreplay.io.session.Sessions} finds the sessions below a
 * directory, and {@link dev.agentreplay.io.session.SessionDirectory} lists the files of one.
 * {@link dev.agentreplay.io.session.Session#resolve(dev.agentreplay.model.Content)} reads a value
 * that is stored in a blob. {@link dev.agentreplay.io.session.Receipts} computes the receipt of a
 * log, and {@link dev.agentreplay.io.session.ReceiptFile} writes it. Sessions are recorded with
 * {@code dev.agentreplay.io.recording}.
 *
 * <p>Symbolic links and special files in a session's directory are refused, and nothing is skipped
 * silently. Nothing is verified here: {@code dev.agentreplay.verify} does that. {@code Session} and
 * {@code BlobStore} are safe for use by several threads; {@code ReceiptAccumulator} and
 * {@code TrajectoryHash} are not. The files of a session are described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.io.session;

import org.jspecify.annotations.NullMarked;
