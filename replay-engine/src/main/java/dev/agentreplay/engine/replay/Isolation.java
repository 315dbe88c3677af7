package dev.agentreplay.engine.replay;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;

/**
 * The isolation of the programs of a replay from the machine: what was enforced, as probes have
 * shown, not what was configured.
 *
 * @param sandbox the mechanism, such as {@code bubblewrap}; {@code none} if there was none
 * @param enforced the restrictions that were enforced, by their mechanism, such as
 *     {@code {"network":"network namespace"}}
 * @param pinned the circumstances that programs saw as they were recorded, such as
 *     {@code {"time_zone":"Europe/Vienna"}}
 * @param gaps the parts that were not isolated, each as a sentence
 */
public record Isolation(String sandbox, JsonObject enforced, JsonObject pinned, List<String> gaps) {

  /** The name of the mechanism if there was none. */
  private static final String NONE = "none";

  /** No program was started. */
  public static final Isolation NO_PROGRAMS =
      new Isolation(NONE, JsonObject.EMPTY, JsonObject.EMPTY, List.of());

  /** Programs were started with the permissions of this process. */
  public static final Isolation NOT_ISOLATED = new Isolation(
      NONE,
      JsonObject.EMPTY,
      JsonObject.EMPTY,
      List.of("programs had the permissions of the process that started them"));

  /** Checks for null, and copies. */
  public Isolation {
    Objects.requireNonNull(sandbox, "sandbox");
    Objects.requireNonNull(enforced, "enforced");
    Objects.requireNonNull(pinned, "pinned");
    gaps = List.copyOf(gaps);
  }

  /** This isolation as JSON, as it is in the reports of replays. */
  public JsonObject json() {
    return JsonObject.of(
        "sandbox", sandbox,
        "enforced", enforced,
        "pinned", pinned,
        "gaps", JsonArray.of(gaps.toArray()));
  }
}
