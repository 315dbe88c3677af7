package dev.agentreplay.engine.fingerprint;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Computes fingerprints: SHA-256 over canonical JSON in the profile {@code serde}. */
public final class Fingerprint {

  private Fingerprint() {}

  /**
   * The fingerprint of a divergence of two sessions.
   *
   * @param kind the kind of the divergence
   * @param step the identity of the step in the left session; in the right one if it was added
   * @param after the left step that is before an added or moved one in the lane of the right
   *     session; null if there is none, or the step was neither added nor moved
   * @param size the number of steps, more than 1 for a moved block
   * @param changes the places that differ
   * @param added the hash of the whole step, as the rules leave it, if it was added; else null
   */
  public static ContentHash of(
      String kind,
      StepIdentity step,
      @Nullable StepIdentity after,
      int size,
      Collection<ChangedPlace> changes,
      @Nullable ContentHash added) {
    return CanonicalJson.SERDE.hash(JsonObject.of(
        "added",
        added == null ? null : added.toString(),
        "after",
        after == null ? null : after.json(),
        "changes",
        JsonArray.copyOf(
            changes.stream().sorted(ChangedPlace.ORDER).map(ChangedPlace::json).toList()),
        "divergence",
        kind,
        "size",
        size,
        "step",
        step.json()));
  }

  /**
   * The fingerprint of a difference that only the ledger of a replay has.
   *
   * @param kind the kind of the divergence
   * @param exchange the id of the kind of exchange
   * @param name the tool, the model or the source of the value
   * @param agent the lane; null for the main agent
   * @param fact the facts that identify the difference
   * @param occurrence the number, from 0, among the entries that are the same in all of these
   */
  public static ContentHash ofEntry(
      String kind,
      String exchange,
      String name,
      @Nullable String agent,
      EntryFact fact,
      int occurrence) {
    return CanonicalJson.SERDE.hash(JsonObject.of(
        Names.AGENT,
        agent,
        "divergence",
        kind,
        "exchange",
        exchange,
        "fact",
        fact.json(),
        "name",
        name,
        "occurrence",
        occurrence));
  }
}
