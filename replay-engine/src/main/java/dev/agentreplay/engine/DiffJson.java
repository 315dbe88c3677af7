package dev.agentreplay.engine;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Comparisons as JSON: schema {@code replay.diff/1}, docs/format.md. */
public final class DiffJson {

  private DiffJson() {}

  /** The comparison as an object. */
  public static JsonObject of(SessionDiff diff) {
    SessionDiff.Calls calls = diff.calls();
    SessionDiff.First first = diff.first();
    return JsonObject.of(
        "schema",
        "replay.diff/1",
        "verdict",
        diff.isIdentical() ? "identical" : "diverged",
        "calls",
        JsonObject.of(
            "left", calls.left(),
            "right", calls.right(),
            "matched", calls.matched(),
            "changed", calls.changed(),
            "missing", calls.missing(),
            "added", calls.added()),
        "first",
        first == null
            ? null
            : JsonObject.of("call", first.call(), "kind", first.kind().name()),
        "divergences_truncated",
        diff.divergences().size() < calls.divergent(),
        "divergences",
        JsonArray.of(diff.divergences().stream().map(DiffJson::of).toArray()));
  }

  private static JsonObject of(Divergence divergence) {
    return JsonObject.of(
        "kind", divergence.kind().name(),
        "role", divergence.role().name().toLowerCase(Locale.ROOT),
        "severity", divergence.kind().severity().name().toLowerCase(Locale.ROOT),
        "left", place(divergence.left()),
        "right", place(divergence.right()),
        "pointer", divergence.pointer(),
        "patch", divergence.patch());
  }

  private static @Nullable JsonObject place(Divergence.@Nullable Place place) {
    return place == null
        ? null
        : JsonObject.of("line", place.line(), "call", place.call(), "tool", place.tool());
  }
}
