package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The point of a recording at which a session was forked from it: the exchanges before the point
 * are those of the recording, and what follows was executed, or served where it was still equal. A
 * header states it in the additional member {@value Names#FORKED_FROM}. The tree head proves the
 * point: a log has it only if its first lines are those of the recording.
 *
 * @param sessionId the id of the recorded session; null if its log does not state one
 * @param head the head of the Merkle tree over the lines of the recording before the point, of at
 *     least one line
 * @param changes the changes of the fork, an object each; empty for one without a change
 */
public record ForkOrigin(@Nullable String sessionId, TreeHead head, JsonArray changes) {

  private static final String CHANGES = "changes";

  private static final Set<String> MEMBERS =
      Set.of(CHANGES, Names.SESSION_ID, Names.TREE_ROOT, Names.TREE_SIZE);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if the head is of no line
   */
  public ForkOrigin {
    Objects.requireNonNull(head, "head");
    Objects.requireNonNull(changes, CHANGES);
    if (head.size() < 1) {
      throw new IllegalArgumentException("a fork has at least one line before it");
    }
  }

  /**
   * Returns the origin that a header states; null if it states none, or the member
   * {@value Names#FORKED_FROM} has a different form.
   */
  public static @Nullable ForkOrigin of(ReplayHeader header) {
    return header.meta().extra().get(Names.FORKED_FROM) instanceof JsonObject json
        ? parse(json)
        : null;
  }

  private static @Nullable ForkOrigin parse(JsonObject json) {
    JsonValue id = json.get(Names.SESSION_ID);
    if (!MEMBERS.containsAll(json.names())
        || !(json.get(CHANGES) instanceof JsonArray changes)
        || !(json.get(Names.TREE_ROOT) instanceof JsonString rootText)
        || !(json.get(Names.TREE_SIZE) instanceof JsonNumber lines)
        || (id != null && !(id instanceof JsonString))) {
      return null;
    }
    ContentHash root = ContentHash.tryParse(rootText.value());
    long size = size(lines);
    return root == null || size < 1
        ? null
        : new ForkOrigin(id == null ? null : id.asString(), new TreeHead(size, root), changes);
  }

  private static long size(JsonNumber lines) {
    try {
      return lines.asLong();
    } catch (ArithmeticException notAnInteger) {
      return 0;
    }
  }

  /**
   * The line of the recording at which the fork begins, from 2: the first that is not before it.
   */
  public long line() {
    return head.size() + 1;
  }

  /** The value of the member {@value Names#FORKED_FROM}. */
  public JsonObject json() {
    JsonObject.Builder json = JsonObject.builder().add(CHANGES, changes);
    if (sessionId != null) {
      json.put(Names.SESSION_ID, sessionId);
    }
    return json.put(Names.TREE_ROOT, head.root().toString())
        .put(Names.TREE_SIZE, head.size())
        .build();
  }

  /** Returns a header that states this origin, in place of any other. */
  public ReplayHeader addTo(ReplayHeader header) {
    Meta meta = header.meta();
    return header.withMeta(meta.withExtra(meta.extra().with(Names.FORKED_FROM, json())));
  }
}
