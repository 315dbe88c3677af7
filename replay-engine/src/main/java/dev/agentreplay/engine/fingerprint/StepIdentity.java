package dev.agentreplay.engine.fingerprint;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a step in its session, which does not depend on its number or line.
 *
 * @param kind the id of its kind
 * @param name its tool, model, path or event
 * @param agent its lane; null if the log does not state one
 * @param request the hash of its request, as the rules leave it
 * @param occurrence its number, from 0, among the steps of its lane with the same kind, name and
 *     request
 */
public record StepIdentity(
    String kind, String name, @Nullable String agent, ContentHash request, int occurrence) {

  // not those of the record, which are linked when first used (decision 322)
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StepIdentity that
        && occurrence == that.occurrence
        && request.equals(that.request)
        && kind.equals(that.kind)
        && name.equals(that.name)
        && Objects.equals(agent, that.agent);
  }

  @Override
  public int hashCode() {
    return request.hashCode() * 31 + occurrence;
  }

  JsonObject json() {
    return JsonObject.of(
        Names.AGENT,
        agent,
        "kind",
        kind,
        "name",
        name,
        "occurrence",
        occurrence,
        "request",
        request.toString());
  }
}
