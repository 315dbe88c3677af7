package dev.agentreplay.convert.trace.report;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session that was imported. Immutable. */
public final class ImportedSession {

  /** The identifier of the JSON form. */
  public static final String SCHEMA = "replay.import/1";

  /** The member with the number of faults. */
  static final String FAULT_COUNT = "fault_count";

  /** The member with the numbers of records of unknown types. */
  static final String UNKNOWN_RECORDS = "unknown_records";

  /** The name of the file with the JSON form in the directory of the session. */
  public static final String FILE_NAME = Session.IMPORT_NAME;

  private final String id;
  private final @Nullable String name;
  private final JsonObject origin;
  private final ImportCounts counts;
  private final Map<String, Long> records;
  private final Map<String, Long> unknown;
  private final List<SourceFault> faults;
  private final long faultCount;
  private final TraceLedger ledger;

  /**
   * Creates the account of a session.
   *
   * @param name the name of its directory below that of the import; null if it is the only one
   * @param origin the member {@code imported_from} of its header
   * @param records the number of records of each type
   * @param unknown the number of records of each type that the importer does not know
   * @param faultCount the number of all faults, of which the first are listed
   */
  public ImportedSession(
      String id,
      @Nullable String name,
      JsonObject origin,
      ImportCounts counts,
      Map<String, Long> records,
      Map<String, Long> unknown,
      List<SourceFault> faults,
      long faultCount,
      TraceLedger ledger) {
    this.id = id;
    this.name = name;
    this.origin = origin;
    this.counts = counts;
    this.records = Map.copyOf(records);
    this.unknown = Map.copyOf(unknown);
    this.faults = List.copyOf(faults);
    this.faultCount = faultCount;
    this.ledger = ledger;
  }

  /** The id of the session. */
  public String id() {
    return id;
  }

  /** The name of its directory below that of the import; null if it is the only session. */
  public @Nullable String name() {
    return name;
  }

  /** The member {@code imported_from} of its header: the format and the files of the source. */
  public JsonObject origin() {
    return origin;
  }

  /** The numbers of what the session has. */
  public ImportCounts counts() {
    return counts;
  }

  /** The number of records of each type, in the words of the format. */
  public Map<String, Long> records() {
    return records;
  }

  /** The number of records of each type that the importer does not know. They are kept. */
  public Map<String, Long> unknownRecords() {
    return unknown;
  }

  /** The first faults of the source. */
  public List<SourceFault> faults() {
    return faults;
  }

  /** The number of all faults of the source. */
  public long faultCount() {
    return faultCount;
  }

  /** The ledger of the members of the source. */
  public TraceLedger ledger() {
    return ledger;
  }

  /** Returns a copy with a different name. */
  public ImportedSession withName(@Nullable String newName) {
    return new ImportedSession(
        id, newName, origin, counts, records, unknown, faults, faultCount, ledger);
  }

  /** The account as JSON, as it is written to {@value #FILE_NAME}. */
  public JsonObject toJson() {
    return JsonObject.of(
        "schema",
        SCHEMA,
        Names.SESSION_ID,
        id,
        Names.IMPORTED_FROM,
        origin,
        "counts",
        counts.toJson(),
        "records",
        numbers(records),
        UNKNOWN_RECORDS,
        numbers(unknown),
        FAULT_COUNT,
        faultCount,
        "faults",
        JsonArray.copyOf(faults.stream().map(SourceFault::toJson).toList()),
        "ledger",
        ledger.toJson());
  }

  private static JsonObject numbers(Map<String, Long> counts) {
    JsonObject.Builder json = JsonObject.builder();
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> json.add(entry.getKey(), JsonNumber.of(entry.getValue())));
    return json.build();
  }
}
