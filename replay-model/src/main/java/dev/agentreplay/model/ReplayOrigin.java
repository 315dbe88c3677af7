package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The session that a session is a replay of. The tree head proves which recording was replayed: a
 * log has it only if it has the same lines.
 *
 * @param sessionId the id of the replayed session; null if its log does not state one
 * @param head the head of the Merkle tree over the whole replayed log, of at least one line
 * @param mode the mode of the replay, such as {@value #MOCK}, not blank
 */
public record ReplayOrigin(@Nullable String sessionId, TreeHead head, String mode) {

  /** The mode of a replay that takes the results of models and tools from the recording. */
  public static final String MOCK = "mock";

  /** The mode of a replay that executes the calls of models and tools again. */
  public static final String FULL = "full";

  /** Checks for null. */
  public ReplayOrigin {
    Objects.requireNonNull(head, "head");
    Objects.requireNonNull(mode, "mode");
  }

  /** The value of the member {@value Names#REPLAY_OF}. */
  public JsonObject json() {
    JsonObject.Builder json = JsonObject.builder().put("mode", mode);
    if (sessionId != null) {
      json.put(Names.SESSION_ID, sessionId);
    }
    return json.put(Names.TREE_ROOT, head.root().toString())
        .put(Names.TREE_SIZE, head.size())
        .build();
  }
}
