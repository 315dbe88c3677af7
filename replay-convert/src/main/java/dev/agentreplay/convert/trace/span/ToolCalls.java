package dev.agentreplay.convert.trace.span;

import dev.agentreplay.convert.trace.span.ToolMessages.Mention;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds which calls of tools that answers ask for have a span: by the id, otherwise by lane, name
 * and order. A span without an id gets that of the call.
 */
final class ToolCalls {

  /** A call that an answer asks for. */
  record Asked(String id, Mention mention) {}

  private final Set<String> ofSpans = new HashSet<>();
  private final Map<String, Deque<Asked>> open = new HashMap<>();
  private final Map<SpanNode, String> ids = new HashMap<>();
  private final Map<SpanNode, List<Asked>> asked = new HashMap<>();

  /** Adds the id that the span of a tool states. Those of all spans are added first. */
  void addStated(SpanNode tool, String id) {
    ofSpans.add(id);
    ids.put(tool, id);
  }

  /** Adds the calls that an answer asks for; answers and tools are added in order. */
  void addAnswer(SpanNode model, List<Mention> mentions) {
    List<Asked> here = new ArrayList<>();
    for (Mention mention : mentions) {
      if (mention.name() == null) {
        continue;
      }
      String id =
          mention.id() == null ? spanId(model) + "/call-" + (here.size() + 1) : mention.id();
      if (!ofSpans.contains(id)) {
        Asked call = new Asked(id, mention);
        here.add(call);
        open.computeIfAbsent(key(model, mention.name()), any -> new ArrayDeque<>())
            .add(call);
      }
    }
    asked.put(model, here);
  }

  /**
   * Adds the span of a tool in its turn. If it states no id, it is that of a call of the tool that
   * an answer asks for; if it states one, it can be that of a call without an id. Returns whether
   * there is such a call.
   */
  boolean add(SpanNode tool, String name) {
    boolean hasId = ids.containsKey(tool);
    Deque<Asked> calls = open.getOrDefault(key(tool, name), new ArrayDeque<>());
    Asked call = calls.peek();
    if (call == null || (hasId && call.mention().id() != null)) {
      return false;
    }
    calls.remove();
    ofSpans.add(call.id());
    ids.putIfAbsent(tool, call.id());
    return true;
  }

  /** The id of the call of the span of a tool. */
  String id(SpanNode tool) {
    return ids.getOrDefault(tool, spanId(tool));
  }

  /** The calls of an answer that have no span. */
  List<Asked> withoutSpan(SpanNode model) {
    return asked.getOrDefault(model, List.of()).stream()
        .filter(call -> !ofSpans.contains(call.id()))
        .toList();
  }

  /** The id of a call that is made from a span. */
  static String spanId(SpanNode node) {
    String id = node.span.link().id();
    return id == null ? "span-" + node.startOrder : id;
  }

  private static String key(SpanNode node, String name) {
    return (node.lane == null ? "" : node.lane) + "\n" + name;
  }
}
