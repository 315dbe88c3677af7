package dev.agentreplay.convert.trace.reading;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls of tools without an id, whose results follow in the same order in their lane. Not safe
 * for use by several threads.
 */
public final class UnnamedCalls {

  private final Map<String, Deque<String>> open = new HashMap<>();
  private long generated;

  /** Creates calls without any that is open. */
  public UnnamedCalls() {}

  /**
   * Generates the id of a call.
   *
   * @param lane the id of the sub-agent; null for the main agent
   */
  public String call(@Nullable String lane) {
    String id = "call-" + ++generated;
    open.computeIfAbsent(key(lane), any -> new ArrayDeque<>()).add(id);
    return id;
  }

  /** Returns the id of the call that a result without an id belongs to. */
  public String result(@Nullable String lane) {
    Deque<String> calls = open.get(key(lane));
    String id = calls == null ? null : calls.poll();
    return id == null ? "call-" + ++generated : id;
  }

  private static String key(@Nullable String lane) {
    return lane == null ? "" : lane;
  }
}
