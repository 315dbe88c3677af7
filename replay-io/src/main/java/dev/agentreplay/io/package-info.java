/**
 * Records sessions, and reads them back.
 *
 * <pre>{@code
 * try (SessionRecorder session = SessionRecorder.start(directory, "fix-auth")) {
 *   PendingModelCall asked = session.modelCall("gpt-5", "Fix the login.");
 *   asked.answer("I read src/auth.rs first.");
 *   PendingCall call = session.call("file_read", Map.of("path", "src/auth.rs"));
 *   call.result(text);
 *   session.end(Status.SUCCESS, 0.9);
 * }
 * try (ReplayReader reader = Session.open(directory).reader()) {
 *   for (ReplayLine line : reader) {
 *     System.out.println(line.event());
 *   }
 * }
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.io.ReplayWriter} has handed an event to the operating system when
 * {@code emit} returns: it survives the death of the process. What it survives beyond that is a
 * choice, {@link dev.agentreplay.io.Durability}. Each line is one write; a log has one writer. What
 * a writer leaves that is broken off, {@link dev.agentreplay.io.LogRecovery} says and repairs, and
 * {@code append} and {@code resume} go on with it.
 *
 * <p>What was recorded can be proved later, as far as {@link dev.agentreplay.io.TamperEvidence} was
 * asked for:
 *
 * <pre>{@code
 * Signer signer = Ed25519Signer.of(KeyPem.parsePrivateKey(text));
 * RecorderOptions options = RecorderOptions.defaults()
 *     .withWriter(WriterOptions.defaults()
 *         .withEvidence(TamperEvidence.defaults().withCheckpointInterval(1_000).withSigner(signer)));
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.io.ReplayReader} reads one line at a time, in strict UTF-8, and never
 * skips one: what is not an event is a {@link dev.agentreplay.io.ReplayFormatException} with line
 * and byte. A {@link dev.agentreplay.io.RawLineReader} does the same with bytes alone, a
 * {@link dev.agentreplay.io.LogFollower} with a log that is being written.
 *
 * <p>A {@link dev.agentreplay.io.Session} is what belongs to a log: its receipt, and the values
 * that are too large for it. {@link dev.agentreplay.io.Sessions} finds those below a directory.
 * Writer and recorder are safe for use by several threads, a reader is not.
 */
@NullMarked
package dev.agentreplay.io;

import org.jspecify.annotations.NullMarked;
