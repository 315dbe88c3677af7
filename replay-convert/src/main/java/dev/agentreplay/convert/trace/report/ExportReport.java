package dev.agentreplay.convert.trace.report;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;

/** The outcome of exporting a session. Immutable. */
public final class ExportReport {

  /** The identifier of the JSON form. */
  public static final String SCHEMA = "replay.export/1";

  private final TraceFormat to;
  private final String sessionId;
  private final Path out;
  private final boolean sourceIsInvalid;
  private final List<String> warnings;
  private final ExportCounts counts;
  private final TraceLedger ledger;

  /** Creates a report. */
  public ExportReport(
      TraceFormat to,
      String sessionId,
      Path out,
      boolean sourceIsInvalid,
      List<String> warnings,
      ExportCounts counts,
      TraceLedger ledger) {
    this.to = to;
    this.sessionId = sessionId;
    this.out = out;
    this.sourceIsInvalid = sourceIsInvalid;
    this.warnings = List.copyOf(warnings);
    this.counts = counts;
    this.ledger = ledger;
  }

  /** The format of the result. */
  public TraceFormat to() {
    return to;
  }

  /** The id of the session; the name of its log if no event states one. */
  public String sessionId() {
    return sessionId;
  }

  /** The file that was written. */
  public Path out() {
    return out;
  }

  /** Whether the session does not verify. Its export is written, and proves nothing. */
  public boolean sourceIsInvalid() {
    return sourceIsInvalid;
  }

  /** Facts about the session and the result that the caller should know. */
  public List<String> warnings() {
    return warnings;
  }

  /** The numbers of what the session has, and of what was written. */
  public ExportCounts counts() {
    return counts;
  }

  /**
   * The ledger of the members of all events. Its records are the types of events, and its members
   * those of the log.
   */
  public TraceLedger ledger() {
    return ledger;
  }

  /** The report as JSON of the schema {@value #SCHEMA}, see docs/conversion.md. */
  public JsonObject toJson() {
    return JsonObject.of(
        "schema", SCHEMA,
        "to", to.id(),
        "session_id", sessionId,
        "out", out.toString(),
        "source_invalid", sourceIsInvalid,
        "warnings", JsonArray.of(warnings.toArray()),
        "counts", counts.toJson(),
        "ledger", ledger.toJson());
  }

  @Override
  public String toString() {
    return toJson().toString();
  }
}
