package dev.agentreplay.io.log;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;

/**
 * Renders the state of a log as JSON, schema {@code replay.recover/1}. Members may be added to it.
 */
public final class RecoveryJson {

  private RecoveryJson() {}

  /** Renders the state of a log. */
  public static JsonObject render(Path log, Recovery recovery) {
    JsonObject json = JsonObject.of(
        "schema", "replay.recover/1",
        "log", log.toString(),
        "state", recovery.state(),
        "events", recovery.events(),
        "bytes", recovery.bytes(),
        "parts", recovery.extent().segment(),
        "missing_line_feed", recovery.missingLineFeed());
    if (recovery instanceof Recovery.TornTail torn) {
      return json.with("torn_tail", tail(torn));
    }
    return recovery instanceof Recovery.Corrupt corrupt
        ? json.with("corrupt", corrupt(corrupt))
        : json;
  }

  /** Renders the state of a repaired log, and the repair. */
  public static JsonObject render(Path log, LogRecovery.Repair repair) {
    return render(log, repair.after()).with("repair", repair(repair));
  }

  private static JsonObject tail(Recovery.TornTail torn) {
    return JsonObject.of(
        "line",
        torn.position().line(),
        "offset",
        torn.position().offset(),
        Names.LINE_OFFSET,
        torn.position().lineOffset(),
        "dropped_bytes",
        torn.droppedBytes(),
        "session_ended",
        torn.ended());
  }

  private static JsonObject corrupt(Recovery.Corrupt corrupt) {
    return JsonObject.of(
        "code",
        corrupt.code().name(),
        "line",
        corrupt.position().line(),
        "offset",
        corrupt.position().offset(),
        Names.LINE_OFFSET,
        corrupt.position().lineOffset(),
        "message",
        corrupt.detail(),
        "readable_after",
        corrupt.readableAfter(),
        "unreadable_after",
        corrupt.unreadableAfter());
  }

  private static JsonObject repair(LogRecovery.Repair repair) {
    Recovery before = repair.before();
    return JsonObject.of(
        "before", before.state(),
        "dropped_bytes", repair.droppedBytes(),
        "removed", repair.removed().stream().map(Path::toString).toList(),
        "line_feed_added", before.missingLineFeed());
  }
}
