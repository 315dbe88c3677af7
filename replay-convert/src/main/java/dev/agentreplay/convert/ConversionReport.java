package dev.agentreplay.convert;

import dev.agentreplay.canonical.dialect.ConversionLedger;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a conversion did.
 *
 * @param from what was converted: the id of a dialect, or "bundle"
 * @param to what it was converted to
 * @param linesRead the number of events that were read, the header included
 * @param linesWritten the number of events of the result, the header included
 * @param sourceIsInvalid whether the source does not verify, so that no receipt is made of the
 *     result, which would hide that; false if no receipt was asked for, nor a bundle of a session
 *     with a receipt
 * @param problems what the source lacks that its specification requires, where the source is a
 *     bundle; and the first 100 events that keep something aside which would make another session
 *     of it ({@code CARRIED_OVER_CONFLICT})
 * @param warnings what is to be known of the source
 * @param ledger what became of the members of the events
 * @param out the file that was written; null when nothing was, because the result would lack what
 *     is required
 * @param receipt the receipt that was written, or null
 * @param files all files that were written
 */
public record ConversionReport(
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

  /** Checks for null and copies. */
  public ConversionReport {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    Objects.requireNonNull(ledger, "ledger");
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
    files = List.copyOf(files);
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

  /** The report as JSON, as docs/format.md has it. */
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
}
