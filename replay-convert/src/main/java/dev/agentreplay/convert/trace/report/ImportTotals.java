package dev.agentreplay.convert.trace.report;

import dev.agentreplay.convert.trace.report.ImportReport.Outcome;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The sums over the reports of many sources. Immutable. */
public final class ImportTotals {

  /** The identifier of the JSON form. */
  public static final String SCHEMA = "replay.import-batch/1";

  /** The totals of no source. */
  public static final ImportTotals NONE =
      new ImportTotals(Map.of(), 0, 0, ImportCounts.NONE, Map.of(), new TraceLedger(List.of()));

  private final Map<Outcome, Long> outcomes;
  private final long sessions;
  private final long faults;
  private final ImportCounts counts;
  private final Map<String, Long> unknown;
  private final TraceLedger ledger;

  private ImportTotals(
      Map<Outcome, Long> outcomes,
      long sessions,
      long faults,
      ImportCounts counts,
      Map<String, Long> unknown,
      TraceLedger ledger) {
    this.outcomes = outcomes;
    this.sessions = sessions;
    this.faults = faults;
    this.counts = counts;
    this.unknown = unknown;
    this.ledger = ledger;
  }

  /** Returns the totals with the report of one more source. */
  public ImportTotals plus(ImportReport report) {
    Map<Outcome, Long> newOutcomes = new EnumMap<>(Outcome.class);
    newOutcomes.putAll(outcomes);
    newOutcomes.merge(report.outcome(), 1L, Long::sum);
    ImportCounts newCounts = counts;
    Map<String, Long> newUnknown = new TreeMap<>(unknown);
    TraceLedger newLedger = ledger;
    for (ImportedSession session : report.sessions()) {
      newCounts = newCounts.plus(session.counts());
      session.unknownRecords().forEach((type, n) -> newUnknown.merge(type, n, Long::sum));
      newLedger = newLedger.plus(session.ledger());
    }
    return new ImportTotals(
        newOutcomes,
        sessions + report.sessions().size(),
        faults + report.faultCount(),
        newCounts,
        newUnknown,
        newLedger);
  }

  /** The number of sources. */
  public long sources() {
    return outcomes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The number of sources with an outcome. */
  public long count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }

  /** The number of sessions that were written. */
  public long sessions() {
    return sessions;
  }

  /** The number of faults of the sources. */
  public long faults() {
    return faults;
  }

  /** The sums of the numbers of the sessions. */
  public ImportCounts counts() {
    return counts;
  }

  /** The number of records of each type that no importer knows. They are kept. */
  public Map<String, Long> unknownRecords() {
    return Collections.unmodifiableMap(unknown);
  }

  /** The ledger of all sources. */
  public TraceLedger ledger() {
    return ledger;
  }

  /**
   * The totals as JSON, see docs/reports.md and docs/schema/replay.import-batch-1.schema.json.
   * Later versions may add members.
   */
  public JsonObject toJson() {
    JsonObject.Builder byOutcome = JsonObject.builder();
    for (Outcome outcome : Outcome.values()) {
      byOutcome.put(outcome.id(), count(outcome));
    }
    JsonObject.Builder unknownByType = JsonObject.builder();
    unknown.forEach((type, n) -> unknownByType.add(type, JsonNumber.of(n)));
    return JsonObject.of(
        "schema",
        SCHEMA,
        "sources",
        sources(),
        "outcomes",
        byOutcome.build(),
        "sessions",
        sessions,
        ImportedSession.FAULT_COUNT,
        faults,
        "counts",
        counts.toJson(),
        ImportedSession.UNKNOWN_RECORDS,
        unknownByType.build(),
        "ledger",
        ledger.toJson());
  }
}
