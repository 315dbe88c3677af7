package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an intervention changed.
 *
 * @param before the state before it: JSON text, or a description
 * @param after the state after it
 * @param beforeHash the hash of the state before it
 * @param afterHash the hash of the state after it
 * @param extra members that no component holds
 */
public record StateChange(
    @Nullable String before,
    @Nullable String after,
    @Nullable RecordHash beforeHash,
    @Nullable RecordHash afterHash,
    JsonObject extra)
    implements RecordObject {

  /** Checks for null. */
  public StateChange {
    Objects.requireNonNull(extra, "extra");
  }

  /**
   * The change from one state to another, with the hashes of both.
   *
   * @throws IllegalArgumentException if a text holds a lone surrogate, and so has no UTF-8 form
   */
  public static StateChange of(String before, String after) {
    return new StateChange(
        before, after, RecordHash.ofContent(before), RecordHash.ofContent(after), JsonObject.EMPTY);
  }
}
