package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.TraceLedger;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.model.json.JsonPointer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects what became of the members of records. Not safe for use by several threads. */
public final class LedgerBuilder {

  /** The maximum number of types of records; further ones are counted together. */
  private static final int MAX_TYPES = 500;

  private static final String OTHERS = "other records";

  private final Map<String, MemberNode> types = new HashMap<>();
  private final Map<String, Long> records = new TreeMap<>();
  private final Map<String, Long> unknown = new TreeMap<>();

  /** Creates a ledger without entries. */
  public LedgerBuilder() {}

  MemberNode type(String type) {
    return types.computeIfAbsent(listed(types, type), any -> new MemberNode());
  }

  void addRecord(String type) {
    records.merge(listed(records, type), 1L, Long::sum);
  }

  void addUnknown(String type) {
    unknown.merge(listed(unknown, type), 1L, Long::sum);
  }

  private static String listed(Map<String, ?> counts, String type) {
    return counts.size() < MAX_TYPES || counts.containsKey(type) ? type : OTHERS;
  }

  /** The number of records of each type. */
  public Map<String, Long> records() {
    return records;
  }

  /** The number of records of each type that the reader does not know. */
  public Map<String, Long> unknown() {
    return unknown;
  }

  /** The ledger of all records so far. */
  public TraceLedger build() {
    List<Entry> entries = new ArrayList<>();
    types.forEach((type, node) -> node.collect(type, JsonPointer.ROOT, entries));
    entries.sort(Comparator.comparing(Entry::record)
        .thenComparing(Entry::member)
        .thenComparing(Entry::action)
        .thenComparing(entry -> String.valueOf(entry.to()))
        .thenComparing(entry -> String.valueOf(entry.note())));
    return new TraceLedger(entries);
  }
}
