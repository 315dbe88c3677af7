package dev.agentreplay.publish.secret;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The result of a {@link SessionScan} or an {@link IncrementalScan}. Immutable. */
public final class ScanReport {

  /** The value of the member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.scan/1";

  private final List<SecretFinding> findings;
  private final List<String> skipped;
  private final long lines;

  ScanReport(List<SecretFinding> findings, List<String> skipped, long lines) {
    this.findings = List.copyOf(findings);
    this.skipped = List.copyOf(skipped);
    this.lines = lines;
  }

  /** The secrets, in the order of the files and lines. */
  public List<SecretFinding> findings() {
    return findings;
  }

  /** The files that were not scanned: they are too large. */
  public List<String> skipped() {
    return skipped;
  }

  /** The number of lines of the log that were scanned. */
  public long lines() {
    return lines;
  }

  /** Whether nothing was found, and everything was scanned. */
  public boolean isClean() {
    return findings.isEmpty() && skipped.isEmpty();
  }

  /** The number of findings of each rule, by its id. */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    findings.forEach(finding -> counts.merge(finding.rule(), 1L, Long::sum));
    return Collections.unmodifiableMap(counts);
  }

  /** The JSON form. */
  public JsonObject toJson() {
    JsonObject.Builder rules = JsonObject.builder();
    counts().forEach(rules::put);
    return JsonObject.builder()
        .put("schema", SCHEMA)
        .put("lines", lines)
        .put("clean", isClean())
        .put("rules", rules.build())
        .put(
            "findings",
            JsonArray.copyOf(findings.stream().map(SecretFinding::json).toList()))
        .put("skipped", skipped)
        .build();
  }
}
