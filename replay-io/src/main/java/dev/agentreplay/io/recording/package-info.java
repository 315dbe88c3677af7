/**
 * Records sessions.
 *
 * <pre>{@code
 * try (SessionRecorder session = SessionRecorder.start(directory, "fix-auth")) {
 *   PendingModelCall asked = session.modelCall("gpt-5", "Fix the login.");
 *   asked.answer("I read src/auth.rs first.");
 *   PendingCall call = session.call("file_read", Map.of("path", "src/auth.rs"));
 *   call.result(text);
 *   session.end(Status.SUCCESS, 0.9);
 * }
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.io.recording.SessionRecorder} fills a session's directory: log,
 * receipt, blobs. A {@link dev.agentreplay.io.recording.ReplayWriter} writes a log alone, for who
 * makes the events. It has handed an event to the operating system when {@code emit} returns: that
 * survives the death of the process. What it survives beyond that is a choice,
 * {@link dev.agentreplay.io.recording.Durability}. Each line is one write; a log has one writer.
 * {@code append} and {@code resume} continue what an interrupted one has left.
 *
 * <p>An event is acknowledged after these steps, of which each class has one:
 *
 * <pre>
 * emit        ReplayWriter    refuses what the writer alone writes
 *   encode    LineEncoder     canonical JSON and hashes, in parallel
 *   queue     LogAppender     one lock gives the line its place, after a checkpoint or segment
 *                             that is due
 *     write   Journal         one write to the segment; BUFFERED copies to memory instead
 *     count   CountedLog      position, totals, receipt, bytes that are to be hashed
 *   hash      LogDigest       SHA-256 and tree, a batch of lines at a time
 *   fsync     GroupCommit     FSYNC and the end of a session: one force for all threads that wait;
 *                             INTERVAL: Flusher, later; else none
 * WrittenEvent                acknowledges the event
 * </pre>
 *
 * <p>What was recorded can be proved later, as far as
 * {@link dev.agentreplay.io.recording.TamperEvidenceOptions} was asked for:
 *
 * <pre>{@code
 * Signer signer = Ed25519Signer.of(KeyPem.parsePrivateKey(text));
 * RecorderOptions options = RecorderOptions.defaults()
 *     .withWriter(WriterOptions.defaults()
 *         .withEvidence(TamperEvidenceOptions.defaults().withCheckpointInterval(1_000).withSigner(signer)));
 * }</pre>
 *
 * <p>Writer and recorder are safe for use by several threads. What they write is read with
 * {@code dev.agentreplay.io.log} and {@code dev.agentreplay.io.session}.
 */
@NullMarked
package dev.agentreplay.io.recording;

import org.jspecify.annotations.NullMarked;
