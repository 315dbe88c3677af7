package dev.agentreplay.records.recording;

import dev.agentreplay.records.recording.LedgerEntry.Kind;
import java.util.ArrayList;
import java.util.List;

/** Collects the statements about a record that is being made. */
final class Ledger {

  private final List<LedgerEntry> entries = new ArrayList<>();

  void generated(String path, String source, String text) {
    entries.add(new LedgerEntry(Kind.GENERATED, path, source, text));
  }

  void assumed(String path, String text) {
    entries.add(new LedgerEntry(Kind.ASSUMED, path, "", text));
  }

  void leftOut(String path, String source, String text) {
    entries.add(new LedgerEntry(Kind.LEFT_OUT, path, source, text));
  }

  void noted(String path, String source, String text) {
    entries.add(new LedgerEntry(Kind.NOTED, path, source, text));
  }

  void addAll(List<LedgerEntry> others) {
    entries.addAll(others);
  }

  List<LedgerEntry> entries() {
    return List.copyOf(entries);
  }
}
