package dev.agentreplay.cli;

import dev.agentreplay.io.LogRecovery;
import dev.agentreplay.io.Recovery;
import dev.agentreplay.io.Salvaged.Gap;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.List;

/** What {@code replay recover} has to say, for programs. */
final class RecoveryJson {

  private RecoveryJson() {}

  static JsonObject of(RecoveryReport report) {
    Recovery recovery = report.recovery();
    JsonObject json = JsonObject.of(
        "schema", "replay.recover/1",
        "log", report.log().toString(),
        "state", RecoveryReport.state(recovery),
        "events", recovery.events(),
        "bytes", recovery.bytes(),
        "parts", recovery.extent().part(),
        "missing_line_feed", recovery.missingLineFeed());
    if (recovery instanceof Recovery.TornTail torn) {
      json = json.with("torn_tail", tail(torn));
    } else if (recovery instanceof Recovery.Corrupt corrupt) {
      json = json.with("corrupt", corrupt(corrupt));
    }
    if (report.repair() != null) {
      json = json.with("repair", repair(report.repair()));
    }
    return report.salvage() == null ? json : json.with("salvage", salvage(report.salvage()));
  }

  private static JsonObject tail(Recovery.TornTail torn) {
    return JsonObject.of(
        "line", torn.position().line(),
        "offset", torn.position().offset(),
        "dropped_bytes", torn.droppedBytes(),
        "session_ended", torn.ended());
  }

  private static JsonObject corrupt(Recovery.Corrupt corrupt) {
    return JsonObject.of(
        "code", corrupt.code().name(),
        "line", corrupt.position().line(),
        "offset", corrupt.position().offset(),
        "message", corrupt.detail(),
        "readable_after", corrupt.readableAfter(),
        "unreadable_after", corrupt.unreadableAfter());
  }

  private static JsonObject repair(LogRecovery.Repair repair) {
    Recovery before = repair.before();
    return JsonObject.of(
        "before",
        RecoveryReport.state(before),
        "dropped_bytes",
        before instanceof Recovery.TornTail torn ? torn.droppedBytes() : 0,
        "removed",
        repair.removed().stream().map(Path::toString).toList(),
        "line_feed_added",
        before.missingLineFeed());
  }

  private static JsonObject salvage(SalvageTally tally) {
    JsonObject.Builder counts = JsonObject.builder();
    tally.counts().forEach((kind, count) -> counts.add(kind.name(), JsonValue.of(count)));
    List<JsonObject> gaps = tally.listed().stream().map(RecoveryJson::gap).toList();
    return JsonObject.of(
        "out", tally.out().toString(),
        "lines", tally.lines(),
        "gap_bytes", tally.gapBytes(),
        "gap_counts", counts.build(),
        "gaps_truncated", tally.gaps() > gaps.size(),
        "gaps", gaps);
  }

  private static JsonObject gap(Gap gap) {
    return JsonObject.of(
        "kind", gap.kind().name(),
        "line", gap.position().line(),
        "offset", gap.position().offset(),
        "bytes", gap.bytes(),
        "message", gap.detail());
  }
}
