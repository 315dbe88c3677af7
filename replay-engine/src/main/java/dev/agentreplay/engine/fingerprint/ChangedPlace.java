package dev.agentreplay.engine.fingerprint;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A place that differs, with the hash of the new value.
 *
 * @param isInResult whether the place is in the result of a call of a tool or model, which has the
 *     same places as the call
 * @param place the place in the left event, a JSON Pointer; an element that only the right array
 *     has is {@code +} with its index there, or {@code -} if the order is not significant
 * @param value the hash of the right value, as the rules leave it; null if there is none
 */
public record ChangedPlace(boolean isInResult, String place, @Nullable ContentHash value) {

  static final Comparator<ChangedPlace> ORDER = Comparator.comparing(ChangedPlace::isInResult)
      .thenComparing(ChangedPlace::place)
      .thenComparing(change -> change.value() == null ? "" : change.value().toString());

  JsonObject json() {
    return JsonObject.of(
        "part",
        isInResult ? "result" : "step",
        "place",
        place,
        "value",
        value == null ? null : value.toString());
  }
}
