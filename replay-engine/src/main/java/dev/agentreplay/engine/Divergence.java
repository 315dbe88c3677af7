package dev.agentreplay.engine;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place where two sessions differ.
 *
 * @param kind how they differ
 * @param role whether it is where they part, or comes after that
 * @param left the place in the left session; null for what was added
 * @param right the place in the right session; null for what is missing
 * @param pointer the first place inside the event that differs, a JSON Pointer (RFC 6901)
 * @param before what stands there in the left event; null where there is nothing
 * @param after what stands there in the right event; null where there is nothing
 * @param patch from the left event to the right one, in what is compared: a JSON Patch (RFC 6902);
 *     for one that is missing or added, the whole event
 */
public record Divergence(
    DivergenceKind kind,
    Role role,
    @Nullable Place left,
    @Nullable Place right,
    String pointer,
    @Nullable JsonValue before,
    @Nullable JsonValue after,
    JsonArray patch) {

  /** Where a divergence stands in the course of a session. */
  public enum Role {
    /** Where the sessions part. */
    ROOT,
    /** After they parted. */
    DOWNSTREAM
  }

  /**
   * A place in a session.
   *
   * @param line the line of the event, from 1
   * @param call the number of the tool call, from 0
   * @param tool the tool
   */
  public record Place(long line, int call, String tool) {}

  /** Checks for null. */
  public Divergence {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(role, "role");
    Objects.requireNonNull(pointer, "pointer");
    Objects.requireNonNull(patch, "patch");
  }
}
