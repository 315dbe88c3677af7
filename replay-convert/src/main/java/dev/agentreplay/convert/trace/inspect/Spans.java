package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The spans of a sample, of which those of sub-agents are lanes: the agents that a tool or another
 * agent started, and all agents if a sample has several that nothing started. A single agent that
 * nothing started is the main one. Not safe for use by several threads.
 */
final class Spans {

  private static final String AGENT = "agent";
  private static final String TOOL = "tool";

  /**
   * The lane of a sub-agent.
   *
   * @param name the name of the agent, with a number if a different one has the name
   * @param call the id of the call of the tool that started it; null if none is known
   */
  record Lane(String name, @Nullable String call) {}

  private record Span(String id, @Nullable String parent, String type, String name) {}

  private final Map<String, Span> spans = new LinkedHashMap<>();

  /** The calls that started agents, by the span of the agent. */
  private final Map<String, String> agentCalls = new HashMap<>();

  /** The spans of tools whose event has not come yet, by parent and name, and the reverse. */
  private final Map<String, Deque<String>> toolSpans = new HashMap<>();

  private final Map<String, Deque<String>> toolEvents = new HashMap<>();

  /** The calls of the spans of tools. */
  private final Map<String, String> toolCalls = new HashMap<>();

  private final Map<String, Lane> lanes = new HashMap<>();

  /** Adds an event, if it begins a span or is that of a tool. */
  void add(JsonObject event) {
    String type = SourceHead.text(event, "event");
    String id = SourceHead.text(event, "id");
    if (id == null || type == null) {
      return;
    }
    if (type.equals("span_begin")) {
      String parent = SourceHead.text(event, "parent_id");
      Span span = new Span(id, parent, orEmpty(event, "type"), orEmpty(event, "name"));
      if (spans.putIfAbsent(id, span) == null && span.type().equals(TOOL)) {
        match(key(parent, span.name()), id, toolSpans, toolEvents, false);
      }
    } else if (type.equals(TOOL)) {
      String agentSpan = SourceHead.text(event, "agent_span_id");
      if (agentSpan != null) {
        agentCalls.put(agentSpan, id);
      }
      String key = key(SourceHead.text(event, "span_id"), orEmpty(event, "function"));
      match(key, id, toolEvents, toolSpans, true);
    }
  }

  /** Joins the event of a tool and its span, which comes before or after it. */
  private void match(
      String key,
      String id,
      Map<String, Deque<String>> own,
      Map<String, Deque<String>> others,
      boolean isCall) {
    Deque<String> waiting = others.get(key);
    String other = waiting == null ? null : waiting.poll();
    if (other == null) {
      own.computeIfAbsent(key, any -> new ArrayDeque<>()).add(id);
    } else if (isCall) {
      toolCalls.put(other, id);
    } else {
      toolCalls.put(id, other);
    }
  }

  private static String key(@Nullable String parent, String name) {
    return parent + "\n" + name;
  }

  private static String orEmpty(JsonObject object, String name) {
    String text = SourceHead.text(object, name);
    return text == null ? "" : text;
  }

  /** Names the lanes, when all events were added. */
  void complete() {
    Set<String> names = new HashSet<>();
    long mains = spans.values().stream().filter(this::isUnstarted).count();
    for (Span span : spans.values()) {
      if (span.type().equals(AGENT) && (mains > 1 || !isUnstarted(span))) {
        String base = span.name().isBlank() ? span.id() : span.name();
        String name = base;
        for (int i = 2; !names.add(name); i++) {
          name = base + "-" + i;
        }
        lanes.put(span.id(), new Lane(name, call(span)));
      }
    }
  }

  /** Whether a span is that of an agent which neither a tool nor another agent started. */
  private boolean isUnstarted(Span span) {
    if (!span.type().equals(AGENT) || agentCalls.containsKey(span.id())) {
      return false;
    }
    Span starter = ancestor(span, Set.of(AGENT, TOOL));
    return starter == null;
  }

  private @Nullable String call(Span agent) {
    String stated = agentCalls.get(agent.id());
    if (stated != null) {
      return stated;
    }
    Span starter = ancestor(agent, Set.of(AGENT, TOOL));
    return starter == null ? null : toolCalls.get(starter.id());
  }

  private @Nullable Span ancestor(Span span, Set<String> types) {
    Set<String> seen = new HashSet<>();
    Span above = span.parent() == null ? null : spans.get(span.parent());
    while (above != null && !types.contains(above.type()) && seen.add(above.id())) {
      above = above.parent() == null ? null : spans.get(above.parent());
    }
    return above != null && types.contains(above.type()) ? above : null;
  }

  /** The lane of the events of a span; null for the main agent. */
  @Nullable
  Lane lane(@Nullable String id) {
    Span span = id == null ? null : spans.get(id);
    Set<String> seen = new HashSet<>();
    while (span != null && seen.add(span.id())) {
      Lane lane = lanes.get(span.id());
      if (lane != null) {
        return lane;
      }
      span = span.parent() == null ? null : spans.get(span.parent());
    }
    return null;
  }
}
