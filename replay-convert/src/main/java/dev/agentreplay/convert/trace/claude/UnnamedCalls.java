package dev.agentreplay.convert.trace.claude;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The calls of tools without an id, whose results follow in the same order in their lane. */
final class UnnamedCalls {

  private final Map<String, Deque<String>> open = new HashMap<>();
  private long generated;

  /** Generates the id of a call. */
  String call(@Nullable String lane) {
    String id = "call-" + ++generated;
    open.computeIfAbsent(key(lane), any -> new ArrayDeque<>()).add(id);
    return id;
  }

  /** The id of the call that a result without an id belongs to. */
  String result(@Nullable String lane) {
    Deque<String> calls = open.get(key(lane));
    String id = calls == null ? null : calls.poll();
    return id == null ? "call-" + ++generated : id;
  }

  private static String key(@Nullable String lane) {
    return lane == null ? "" : lane;
  }
}
