package dev.agentreplay.model.receipt;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An answered call.
 *
 * @param id the id of the call, in forms that have it
 * @param tool the name of the tool
 * @param paramsHash the hash of its parameters
 * @param outputHash the hash of its output
 * @param stepUtility how much it helped, from -1.0 to 1.0
 * @param latencyMillis how long it took, in milliseconds
 * @param sideEffects what it did to the world
 * @param extra members that this version does not know
 */
public record ReceiptCall(
    @Nullable String id,
    @Nullable String tool,
    @Nullable ContentHash paramsHash,
    @Nullable ContentHash outputHash,
    @Nullable Double stepUtility,
    @Nullable Long latencyMillis,
    List<SideEffect> sideEffects,
    JsonObject extra) {

  /** Checks for null and copies. */
  public ReceiptCall {
    sideEffects = List.copyOf(sideEffects);
    Objects.requireNonNull(extra, "extra");
  }

  /** This call with other side effects. */
  public ReceiptCall withSideEffects(List<SideEffect> newSideEffects) {
    return new ReceiptCall(
        id, tool, paramsHash, outputHash, stepUtility, latencyMillis, newSideEffects, extra);
  }
}
