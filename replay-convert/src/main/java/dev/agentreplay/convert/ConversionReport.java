package dev.agentreplay.convert;

import dev.agentreplay.canonical.dialect.ConversionLedger;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a conversion. Immutable but for the ledger, which is not to be added to. */
public final class ConversionReport {

  private final String from;
  private final SessionFormat to;
  private final long linesRead;
  private final long linesWritten;
  private final boolean sourceIsInvalid;
  private final List<String> problems;
  private final List<String> warnings;
  private final ConversionLedger ledger;
  private final @Nullable Path out;
  private final @Nullable Path receipt;
  private final List<Path> files;

  ConversionReport(
      String from,
      SessionFormat to,
      long linesRead,
      long linesWritten,
      boolean sourceIsInvalid,
      List<String> problems,
      List<String> warnings,
      ConversionLedger ledger,
      @Nullable Path out,
      @Nullable Path receipt,
      List<Path> files) {
    this.from = from;
    this.to = to;
    this.linesRead = linesRead;
    this.linesWritten = linesWritten;
    this.sourceIsInvalid = sourceIsInvalid;
    this.problems = List.copyOf(problems);
    this.warnings = List.copyOf(warnings);
    this.ledger = ledger;
    this.out = out;
    this.receipt = receipt;
    this.files = List.copyOf(files);
  }

  /** The form that was converted: the id of a dialect, or "bundle". */
  public String from() {
    return from;
  }

  /** The form of the result. */
  public SessionFormat to() {
    return to;
  }

  /** The number of events that were read, the header included. */
  public long linesRead() {
    return linesRead;
  }

  /** The number of events of the result, the header included. */
  public long linesWritten() {
    return linesWritten;
  }

  /**
   * Whether the source does not verify, so that no receipt is made of the result, which would hide
   * that; false if no receipt was asked for, nor a bundle of a session with a receipt.
   */
  public boolean sourceIsInvalid() {
    return sourceIsInvalid;
  }

  /**
   * The requirements of its specification that the source does not meet, where it is a bundle; and
   * the first 100 events that keep something aside which would make another session of it
   * ({@code CARRIED_OVER_CONFLICT}).
   */
  public List<String> problems() {
    return problems;
  }

  /** The facts about the source and the result that the caller should know. */
  public List<String> warnings() {
    return warnings;
  }

  /** The ledger: what became of the members of the events. */
  public ConversionLedger ledger() {
    return ledger;
  }

  /** The file that was written; null when none was, since it would lack what is required. */
  public @Nullable Path out() {
    return out;
  }

  /** The receipt that was written, or null. */
  public @Nullable Path receipt() {
    return receipt;
  }

  /** All files that were written. */
  public List<Path> files() {
    return files;
  }

  /**
   * Whether a bundle has all that is required of it, no event is in conflict with what it keeps
   * aside, and a result that is no copy all that its specification demands.
   */
  public boolean isComplete() {
    return problems.isEmpty()
        && ledger.count(Action.MISSING) == 0
        && ledger.count(Action.INVALID) == 0;
  }

  /** The report as JSON, as docs/conversion.md has it. */
  public JsonObject toJson() {
    return JsonObject.of(
        "schema", "replay.convert/1",
        "from", from,
        "to", to.id(),
        "complete", isComplete(),
        "source_invalid", sourceIsInvalid,
        "out", out == null ? null : out.toString(),
        "receipt", receipt == null ? null : receipt.toString(),
        "files", JsonArray.of(files.stream().map(Path::toString).toArray()),
        "lines", JsonObject.of("read", linesRead, "written", linesWritten),
        "problems", JsonArray.of(problems.toArray()),
        "warnings", JsonArray.of(warnings.toArray()),
        "ledger", ledger.toJson());
  }

  @Override
  public String toString() {
    return toJson().toString();
  }
}
