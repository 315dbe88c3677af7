package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operators (methods of thought, such as {@code level_split}) that a session is to use.
 *
 * @param primary those to use first
 * @param secondary those to use as well
 * @param forbidden those to avoid
 * @param extra members that no component holds
 */
public record OperatorSelection(
    List<String> primary,
    @Nullable List<String> secondary,
    @Nullable List<String> forbidden,
    JsonObject extra)
    implements RecordObject {

  /** Checks for null and copies. */
  public OperatorSelection {
    primary = List.copyOf(primary);
    secondary = secondary == null ? null : List.copyOf(secondary);
    forbidden = forbidden == null ? null : List.copyOf(forbidden);
    Objects.requireNonNull(extra, "extra");
  }

  /** These operators first, nothing said of others. */
  public static OperatorSelection of(String... primary) {
    return new OperatorSelection(List.of(primary), null, null, JsonObject.EMPTY);
  }

  /** With other secondary operators. */
  public OperatorSelection withSecondary(@Nullable List<String> newSecondary) {
    return new OperatorSelection(primary, newSecondary, forbidden, extra);
  }

  /** With other forbidden operators. */
  public OperatorSelection withForbidden(@Nullable List<String> newForbidden) {
    return new OperatorSelection(primary, secondary, newForbidden, extra);
  }
}
