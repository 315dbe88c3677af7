package dev.agentreplay.records.store;

/**
 * An entry of a {@link RecordStore}: a record, or one that cannot be read. Immutable and safe for
 * use by several threads.
 */
public sealed interface StoredRecord permits RecordSummary, BrokenRecord {

  /** The id of the record, by its directory; of a broken record the name of its directory. */
  String id();
}
