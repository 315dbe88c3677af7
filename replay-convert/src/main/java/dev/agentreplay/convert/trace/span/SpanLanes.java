package dev.agentreplay.convert.trace.span;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of the spans. The first agent of a session is its main agent. An agent in the span of
 * another, and one of a different name next to the main agent, has a lane of its own. Spans of the
 * same agent in each other, and those that name none, are one run of it.
 */
final class SpanLanes {

  private static final String UNNAMED = "agent";

  private final Vocabulary vocabulary;
  private final Map<String, Integer> used = new HashMap<>();

  /** The nearest agent of a span, itself included. */
  private final Map<SpanNode, SpanNode> agents = new HashMap<>();

  /** The nearest tool between a span and its agent, itself included. */
  private final Map<SpanNode, SpanNode> tools = new HashMap<>();

  private @Nullable SpanNode main;

  private SpanLanes(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  static void decide(SpanTree tree, Vocabulary vocabulary) {
    SpanLanes lanes = new SpanLanes(vocabulary);
    List<SpanNode> outerFirst = tree.nodes().stream()
        .sorted(Comparator.comparingLong(node -> node.startOrder))
        .toList();
    outerFirst.forEach(lanes::decide);
  }

  private void decide(SpanNode node) {
    SpanNode above = node.parent;
    SpanNode agent = above == null ? null : agents.get(above);
    SpanNode tool = above == null ? null : tools.get(above);
    if (above != null) {
      node.lane = above.lane;
      node.startedBy = above.startedBy;
    }
    if (node.role == SpanRole.AGENT) {
      if (!isSameRun(node, agent, tool)) {
        node.lane = unusedName(vocabulary.name(node.span));
        node.startedBy = tool;
      }
      agent = node;
      tool = null;
    } else if (node.role == SpanRole.TOOL) {
      tool = node;
    }
    if (agent != null) {
      agents.put(node, agent);
    }
    if (tool != null) {
      tools.put(node, tool);
    }
  }

  private boolean isSameRun(SpanNode node, @Nullable SpanNode agent, @Nullable SpanNode tool) {
    String name = vocabulary.name(node.span);
    if (agent == null && tool == null) {
      if (main == null || vocabulary.name(main.span) == null) {
        main = node;
        return true;
      }
      return name == null || name.equals(vocabulary.name(main.span));
    }
    if (tool != null || agent == null) {
      return false;
    }
    String outer = vocabulary.name(agent.span);
    if (outer == null && agent == main) {
      main = node; // the agent that a span without a name wraps
      return true;
    }
    return name == null || outer == null || name.equals(outer);
  }

  private String unusedName(@Nullable String name) {
    String base = name == null ? UNNAMED : name;
    int times = used.merge(base, 1, Integer::sum);
    return times == 1 ? base : base + "#" + times;
  }
}
