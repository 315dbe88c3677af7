package dev.agentreplay.records.recording;

import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.store.RecordTexts;
import java.util.List;
import java.util.Objects;

/**
 * A session record that was made, with the texts of its messages and artifacts. Immutable and safe
 * for use by several threads.
 */
public final class RecordedThread {

  private final SessionRecord record;
  private final RecordTexts texts;
  private final List<LedgerEntry> ledger;

  RecordedThread(SessionRecord record, RecordTexts texts, List<LedgerEntry> ledger) {
    this.record = Objects.requireNonNull(record, "record");
    this.texts = Objects.requireNonNull(texts, "texts");
    this.ledger = List.copyOf(ledger);
  }

  /** The record, which meets all constraints. */
  public SessionRecord record() {
    return record;
  }

  /** The texts of all messages and of the artifacts, in memory. */
  public RecordTexts texts() {
    return texts;
  }

  /** The statements on all that was generated, assumed or left out. */
  public List<LedgerEntry> ledger() {
    return ledger;
  }
}
