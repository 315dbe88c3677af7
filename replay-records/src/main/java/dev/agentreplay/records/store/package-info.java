/**
 * The texts of session records, which are kept next to them by hash, and the directory in which
 * records, texts and reports are stored.
 *
 * <pre>{@code
 * RecordStore store = RecordStore.open(directory);
 * SessionRecord record = store.record(store.find("RS20260101"));
 * RecordCheckReport check = RecordCheck.of(record, store.texts());
 * check.problems().forEach(System.out::println);
 * }</pre>
 *
 * <p>{@link dev.agentreplay.records.store.RecordStore} and
 * {@link dev.agentreplay.records.store.TextDirectory} trust no file: links are refused, and a text
 * is used only if it has the hash by which it is found. Files are written whole or not at all, and
 * none is replaced.
 */
@NullMarked
package dev.agentreplay.records.store;

import org.jspecify.annotations.NullMarked;
