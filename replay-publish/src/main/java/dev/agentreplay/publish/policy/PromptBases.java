package dev.agentreplay.publish.policy;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.PromptDelta;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;

/**
 * The last model calls, of as many ids as a reader keeps, and whether a published log shows their
 * prompts unchanged, so that it may show a change of them.
 */
final class PromptBases {

  private static final int MAX_ID = 64;

  private final LinkedHashMap<String, Boolean> shown = new LinkedHashMap<>();

  /** Adds the next model call. */
  void add(String id, boolean isShown) {
    String key = key(id);
    shown.remove(key);
    shown.put(key, isShown);
    if (shown.size() > PromptDelta.MAX_CALLS) {
      shown.remove(shown.keySet().iterator().next());
    }
  }

  /** Whether the prompt of the last call with an id is shown unchanged. */
  boolean isShown(String id) {
    return shown.getOrDefault(key(id), false);
  }

  private static String key(String id) {
    return id.length() <= MAX_ID
        ? id
        : ContentHash.sha256(id.getBytes(StandardCharsets.UTF_8)).text();
  }
}
