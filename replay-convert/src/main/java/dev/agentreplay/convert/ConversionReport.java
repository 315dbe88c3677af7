package dev.agentreplay.convert;

import dev.agentreplay.canonical.dialect.ConversionLedger;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a conversion. Immutable except for the ledger, which the caller must not modify.
 */
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

  /** The format of the source: the id of a dialect, or "bundle". */
  public String from() {
    return from;
  }

  /** The format of the result. */
  public SessionFormat to() {
    return to;
  }

  /** The number of events read, including the header. */
  public long linesRead() {
    return linesRead;
  }

  /** The number of events written, including the header. */
  public long linesWritten() {
    return linesWritten;
  }

  /**
   * Whether the source does not verify. No receipt of the result is created then, because it would
   * hide that. False if the source was not verified: if it is a bundle, if a log is written without
   * a requested receipt, or if a bundle is written of a session without a receipt.
   */
  public boolean sourceIsInvalid() {
    return sourceIsInvalid;
  }

  /**
   * The requirements of its specification that the source does not meet, if it is a bundle; and the
   * first 100 conflicts between the members of an event and the members that it carries over
   * ({@code CARRIED_OVER_CONFLICT}).
   */
  public List<String> problems() {
    return problems;
  }

  /** Facts about the source and the result that the caller should know. */
  public List<String> warnings() {
    return warnings;
  }

  /** The ledger: the members of events that the result does not have unchanged. */
  public ConversionLedger ledger() {
    return ledger;
  }

  /** The path of the result; null when it was not written because it is incomplete. */
  public @Nullable Path out() {
    return out;
  }

  /** The path of the receipt, or null if none was written. */
  public @Nullable Path receipt() {
    return receipt;
  }

  /** The paths of all files that were written. */
  public List<Path> files() {
    return files;
  }

  /**
   * Whether a bundle has all members required of it, no event conflicts with the members that it
   * carries over, and a result that is not a copy has all that its specification requires.
   */
  public boolean isComplete() {
    return problems.isEmpty()
        && ledger.count(Action.MISSING) == 0
        && ledger.count(Action.INVALID) == 0;
  }

  /** The report as JSON of the schema {@code replay.convert/1}, see docs/conversion.md. */
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
