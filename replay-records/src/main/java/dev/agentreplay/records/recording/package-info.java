/**
 * Makes session records: from an export of a thread's messages, or from a recorded session.
 *
 * <pre>{@code
 * MessageExport export = MessageExport.read(Files.readAllBytes(directory.resolve("thread.json")));
 * RecordedThread recorded = SessionRecording.of(export).artifact(text).record();
 * recorded.ledger().forEach(System.out::println);
 * RecordStore store = RecordStore.create(directory.resolve("store"));
 * store.add(recorded.record(), recorded.texts());
 * }</pre>
 *
 * <p>A record has members that neither an export nor a log has. Whatever is generated, assumed or
 * left out is in the {@linkplain dev.agentreplay.records.recording.RecordedThread#ledger ledger}.
 * The same input at the same time makes the same record.
 */
@NullMarked
package dev.agentreplay.records.recording;

import org.jspecify.annotations.NullMarked;
