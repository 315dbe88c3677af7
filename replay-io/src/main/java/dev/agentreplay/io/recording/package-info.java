/**
 * Records sessions in a crash-safe, append-only log.
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
 * <p>A {@link dev.agentreplay.io.recording.SessionRecorder} writes a session's directory: log,
 * receipt and blobs. A {@link dev.agentreplay.io.recording.ReplayWriter} writes only a log, for
 * callers that create the events themselves.
 *
 * <p>{@link dev.agentreplay.io.workspace.Circumstances} state what the agent runs under: model,
 * tools, versions. They are not recorded by default:
 *
 * <pre>{@code
 * RecorderOptions options =
 *     RecorderOptions.defaults().withCircumstances(Circumstances.defaults().withModel("gpt-5"));
 * }</pre>
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>By default, an event that {@code emit} has acknowledged survives a crash of the process,
 *       because it was passed to the operating system.
 *       {@link dev.agentreplay.io.recording.Durability} selects whether it also survives power
 *       loss: {@code FSYNC} forces each event to disk, with group commit for threads that emit at
 *       the same time; {@code INTERVAL} does so in the background.
 *   <li>{@code run} writes a call before its tool runs (write-ahead): with the default options the
 *       log has, after a crash of the process, every call that may have had side effects; after
 *       power loss only with {@code FSYNC}.
 *   <li>{@code effect} writes a call with the id of its effect before the tool runs, also with
 *       {@code BUFFERED}; repeated attempts have the same id.
 *   <li>Lines are appended, and never changed afterwards. A write that fails is rolled back; a torn
 *       write after a crash is truncated by {@code append} and {@code resume}, which continue the
 *       log ({@linkplain dev.agentreplay.io.log.LogRecovery crash recovery}).
 *   <li>A log has one writer, which holds a file lock. The log is rotated into segments of a
 *       maximum size, if one is set.
 *   <li>With the default options, a failed write is reported to the caller that emitted the event,
 *       with the state of the log: {@link dev.agentreplay.io.recording.ReplayWriteException}; for
 *       the result of {@code run}, a later call of the recorder throws.
 * </ul>
 *
 * <p>An event is acknowledged after these steps, each of which has its own class:
 *
 * <pre>
 * emit        ReplayWriter    rejects events that only the writer creates
 *   encode    LineEncoder     canonical JSON and hashes, in parallel
 *   queue     LogAppender     one lock assigns the line its position, after a checkpoint or
 *                             segment that is due
 *     write   Journal         one write to the segment; BUFFERED copies to memory instead
 *     count   CountedLog      position, totals, receipt, bytes to be hashed
 *   hash      LogDigest       SHA-256 and Merkle tree, a batch of lines at a time
 *   fsync     GroupCommit     FSYNC and the end of a session: one fsync for all waiting threads;
 *                             INTERVAL: Flusher, later; otherwise none
 * WrittenEvent                acknowledges the event
 * </pre>
 *
 * <p>{@link dev.agentreplay.io.recording.TamperEvidenceOptions} selects how later changes of a log
 * can be detected, with a Merkle tree, checkpoints and signatures:
 *
 * <pre>{@code
 * Signer signer = Ed25519Signer.of(KeyPem.parsePrivateKey(text));
 * RecorderOptions options = RecorderOptions.defaults()
 *     .withWriter(WriterOptions.defaults()
 *         .withEvidence(TamperEvidenceOptions.defaults()
 *             .withCheckpointInterval(1_000)
 *             .withSigner(signer)));
 * }</pre>
 *
 * <p>Writer and recorder are safe for use by several threads. Logs and sessions are read with
 * {@code dev.agentreplay.io.log} and {@code dev.agentreplay.io.session}. The format of a log is
 * described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.io.recording;

import org.jspecify.annotations.NullMarked;
