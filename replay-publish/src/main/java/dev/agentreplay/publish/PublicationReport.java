package dev.agentreplay.publish;

import dev.agentreplay.canonical.commitment.PublishedHeader;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.publish.policy.PublicationPolicy;
import dev.agentreplay.publish.policy.RemovalLedger;
import dev.agentreplay.verify.VerificationReport;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a publication, for the owner of the session: what was removed is counted, without
 * values. Not for publication itself, because it names members. Immutable.
 */
public final class PublicationReport {

  /** The member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.publication/1";

  private final Path directory;
  private final VerificationReport source;
  private final PublicationPolicy policy;
  private final long lines;
  private final @Nullable PublicCheckpoint checkpoint;
  private final RemovalLedger removed;
  private final List<String> files;
  private final List<String> warnings;

  PublicationReport(
      Path directory,
      VerificationReport source,
      PublicationPolicy policy,
      long lines,
      @Nullable PublicCheckpoint checkpoint,
      RemovalLedger removed,
      List<String> files,
      List<String> warnings) {
    this.directory = directory;
    this.source = source;
    this.policy = policy;
    this.lines = lines;
    this.checkpoint = checkpoint;
    this.removed = removed;
    this.files = List.copyOf(files);
    this.warnings = List.copyOf(warnings);
  }

  /** The directory of the published session. */
  public Path directory() {
    return directory;
  }

  /** The verification of the session that was published. */
  public VerificationReport source() {
    return source;
  }

  /** The policy. */
  public PublicationPolicy policy() {
    return policy;
  }

  /** The number of lines. */
  public long lines() {
    return lines;
  }

  /** The statement of the public tree; null if the hashes are plain. */
  public @Nullable PublicCheckpoint checkpoint() {
    return checkpoint;
  }

  /** The values that are not shown, counted by place and reason. */
  public RemovalLedger removed() {
    return removed;
  }

  /** The names of the files in the directory. */
  public List<String> files() {
    return files;
  }

  /** Texts about information that the published files give away, and other risks. */
  public List<String> warnings() {
    return warnings;
  }

  /** The JSON form, of the schema {@value #SCHEMA}; docs/reports.md describes it. */
  public JsonObject toJson() {
    PublicCheckpoint made = checkpoint;
    return JsonObject.of(
        "schema",
        SCHEMA,
        "directory",
        directory.toString(),
        "source",
        JsonObject.of(
            "log",
            source.session().log().toString(),
            "verdict",
            source.verdict().id()),
        "policy",
        JsonObject.of("hash", policy.hash().toString(), "id", policy.id()),
        "lines",
        lines,
        PublicationSource.FORM,
        made == null ? PublishedHeader.PLAIN : made.form().id(),
        Names.PUBLIC_ROOT,
        made == null ? null : made.tree().root().toString(),
        "signed",
        made != null && made.isSigned(),
        "removed",
        removed.toJson(),
        "files",
        strings(files),
        "warnings",
        strings(warnings));
  }

  private static JsonArray strings(List<String> texts) {
    return JsonArray.copyOf(texts.stream().map(JsonString::of).toList());
  }

  @Override
  public String toString() {
    return "%s: %d lines, policy %s".formatted(directory, lines, policy.id());
  }
}
