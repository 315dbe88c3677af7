package dev.agentreplay.cli.text;

import dev.agentreplay.io.log.Salvaged.Gap;
import dev.agentreplay.io.log.Salvaged.GapKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts the salvaged lines of a log, and keeps the first gaps. */
public final class SalvageTally {

  /** The maximum number of gaps listed. */
  private static final int MAX_LISTED = 100;

  private final Path out;
  private final List<Gap> listed = new ArrayList<>();
  private final Map<GapKind, Long> counts = new EnumMap<>(GapKind.class);
  private long lines;
  private long gaps;
  private long gapBytes;

  public SalvageTally(Path out) {
    this.out = out;
  }

  public void add(Gap gap) {
    gaps++;
    gapBytes += gap.bytes();
    counts.merge(gap.kind(), 1L, Long::sum);
    if (listed.size() < MAX_LISTED) {
      listed.add(gap);
    }
  }

  public void setLines(long written) {
    lines = written;
  }

  /** The file that was written. */
  Path out() {
    return out;
  }

  /** The number of lines written. */
  long lines() {
    return lines;
  }

  public long gaps() {
    return gaps;
  }

  long gapBytes() {
    return gapBytes;
  }

  Map<GapKind, Long> counts() {
    return counts;
  }

  /** The first gaps. */
  List<Gap> listed() {
    return listed;
  }

  JsonObject toJson() {
    JsonObject.Builder byKind = JsonObject.builder();
    counts.forEach((kind, count) -> byKind.put(kind.name(), count));
    return JsonObject.of(
        "out",
        out.toString(),
        "lines",
        lines,
        "gap_bytes",
        gapBytes,
        "gap_counts",
        byKind.build(),
        "gaps_truncated",
        gaps > listed.size(),
        "gaps",
        listed.stream().map(SalvageTally::gap).toList());
  }

  private static JsonObject gap(Gap gap) {
    return JsonObject.of(
        "kind",
        gap.kind().name(),
        "line",
        gap.position().line(),
        "offset",
        gap.position().offset(),
        Names.LINE_OFFSET,
        gap.position().lineOffset(),
        "bytes",
        gap.bytes(),
        "message",
        gap.detail());
  }
}
