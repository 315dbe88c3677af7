package dev.agentreplay.convert.trace.report;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The outcome of importing one source. Immutable. */
public final class ImportReport {

  /** The outcome for one source. */
  public enum Outcome {
    /** Its sessions were written. */
    IMPORTED,
    /** An earlier import is of the same bytes, and its log is that of its receipt. */
    UNCHANGED,
    /**
     * An earlier import has other bytes, or its log is no longer that of its receipt, and it may
     * not be replaced. Nothing was written.
     */
    CHANGED,
    /** The source cannot be read, or holds nothing that is recognized. Nothing was written. */
    FAILED;

    /** The name in reports: the name of the constant in lower case. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The identifier of the JSON form. */
  public static final String SCHEMA = "replay.import-report/1";

  private final Path source;
  private final @Nullable TraceFormat format;
  private final Path out;
  private final Outcome outcome;
  private final @Nullable String message;
  private final List<ImportedSession> sessions;
  private final List<SourceFault> faults;
  private final long unlisted;

  /**
   * Creates a report.
   *
   * @param format the format; null if it is not known
   * @param out the directory of the session, or of the directories of several sessions
   * @param message the reason of a failure; null if there is none
   * @param faults the faults that belong to no session
   */
  public ImportReport(
      Path source,
      @Nullable TraceFormat format,
      Path out,
      Outcome outcome,
      @Nullable String message,
      List<ImportedSession> sessions,
      List<SourceFault> faults) {
    this(source, format, out, outcome, message, sessions, faults, faults.size());
  }

  /**
   * Creates a report that does not list all faults.
   *
   * @param faults the first faults that belong to no session
   * @param faultCount the number of all of them
   */
  public ImportReport(
      Path source,
      @Nullable TraceFormat format,
      Path out,
      Outcome outcome,
      @Nullable String message,
      List<ImportedSession> sessions,
      List<SourceFault> faults,
      long faultCount) {
    this.source = source;
    this.format = format;
    this.out = out;
    this.outcome = outcome;
    this.message = message;
    this.sessions = List.copyOf(sessions);
    this.faults = List.copyOf(faults);
    this.unlisted = faultCount - faults.size();
  }

  /** The file or directory that was imported. */
  public Path source() {
    return source;
  }

  /** The format of the source; null if it is not known. */
  public @Nullable TraceFormat format() {
    return format;
  }

  /** The directory of the session, or, if there are several, of their directories. */
  public Path out() {
    return out;
  }

  /** The outcome. */
  public Outcome outcome() {
    return outcome;
  }

  /**
   * The reason of a failure, without control characters; null if there is none. It begins with
   * "internal error: " if it is a fault of this program, not of the source.
   */
  public @Nullable String message() {
    return message;
  }

  /** The sessions that were written. */
  public List<ImportedSession> sessions() {
    return sessions;
  }

  /** The first faults that belong to no session. */
  public List<SourceFault> faults() {
    return faults;
  }

  /** The number of all faults of the source. */
  public long faultCount() {
    return faults.size()
        + unlisted
        + sessions.stream().mapToLong(ImportedSession::faultCount).sum();
  }

  /** The directory of one of the sessions. */
  public Path out(ImportedSession session) {
    return session.name() == null ? out : out.resolve(session.name());
  }

  /**
   * The report as JSON, see docs/reports.md and docs/schema/replay.import-report-1.schema.json.
   * Later versions may add members.
   */
  public JsonObject toJson() {
    return JsonObject.of(
        "schema",
        SCHEMA,
        "source",
        source.toString(),
        "format",
        format == null ? null : format.id(),
        "outcome",
        outcome.id(),
        "message",
        message,
        "out",
        out.toString(),
        ImportedSession.FAULT_COUNT,
        faultCount(),
        "faults",
        JsonArray.copyOf(faults.stream().map(SourceFault::toJson).toList()),
        "sessions",
        JsonArray.copyOf(sessions.stream()
            .map(session ->
                session.toJson().with("out", JsonString.of(out(session).toString())))
            .toList()));
  }
}
