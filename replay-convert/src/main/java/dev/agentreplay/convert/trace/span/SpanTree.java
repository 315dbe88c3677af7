package dev.agentreplay.convert.trace.span;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The spans of a session as trees, one or more of them. A span whose parent is missing is a root,
 * and so is one of those that contain each other.
 */
final class SpanTree {

  private final List<SpanNode> nodes = new ArrayList<>();
  private final List<SpanNode> roots = new ArrayList<>();

  private SpanTree() {}

  static SpanTree of(List<Span> spans, Vocabulary vocabulary) {
    SpanTree tree = new SpanTree();
    for (Span span : spans) {
      tree.nodes.add(new SpanNode(span, vocabulary.role(span)));
    }
    tree.setTimes();
    tree.link();
    tree.walk();
    tree.decideTools(vocabulary);
    tree.decideRequests(vocabulary);
    return tree;
  }

  /** All spans, in the order of the source. */
  List<SpanNode> nodes() {
    return nodes;
  }

  /** The spans that no other one contains. */
  List<SpanNode> roots() {
    return roots;
  }

  /** The spans in the order of their start, outer ones first. */
  List<SpanNode> inOrder() {
    return nodes.stream()
        .sorted(Comparator.comparing((SpanNode node) -> node.start)
            .thenComparingLong(node -> node.startOrder))
        .toList();
  }

  private void setTimes() {
    Instant before = nodes.stream()
        .map(node -> node.span.times().start())
        .filter(start -> start != null)
        .findFirst()
        .orElse(Instant.EPOCH);
    for (SpanNode node : nodes) {
      Instant start = node.span.times().start();
      node.start = start == null ? before : start;
      before = node.start;
    }
  }

  private void link() {
    Map<String, SpanNode> byId = new HashMap<>();
    for (SpanNode node : nodes) {
      if (node.span.link().id() != null) {
        byId.putIfAbsent(key(node.span.link().trace(), node.span.link().id()), node);
      }
    }
    OuterSpans outer = new OuterSpans(nodes.stream().map(node -> node.span).toList());
    IdentityHashMap<Span, SpanNode> ofSpans = new IdentityHashMap<>();
    nodes.forEach(node -> ofSpans.put(node.span, node));
    for (SpanNode node : nodes) {
      String parent = node.span.link().parent();
      SpanNode found = parent == null
          ? ofSpans.get(outer.find(node.span))
          : byId.get(key(node.span.link().trace(), parent));
      node.parent = found == node ? null : found;
    }
  }

  private static String key(String trace, String text) {
    return trace + "\n" + text;
  }

  /** Finds the roots, opens circles, and numbers the beginnings and ends. */
  private void walk() {
    for (SpanNode node : nodes) {
      if (node.parent != null) {
        node.parent.children.add(node);
      }
    }
    Comparator<SpanNode> byStart = Comparator.comparing(node -> node.start);
    nodes.forEach(node -> node.children.sort(byStart));
    Set<SpanNode> open = new LinkedHashSet<>(nodes);
    long[] order = {0};
    nodes.stream().filter(node -> node.parent == null).sorted(byStart).forEach(root -> {
      roots.add(root);
      walk(root, open, order);
    });
    while (!open.isEmpty()) {
      SpanNode root = open.iterator().next();
      if (root.parent != null) {
        root.parent.children.remove(root);
      }
      root.parent = null;
      roots.add(root);
      walk(root, open, order);
    }
  }

  private static void walk(SpanNode root, Set<SpanNode> open, long[] order) {
    Deque<SpanNode> path = new ArrayDeque<>();
    Deque<Integer> next = new ArrayDeque<>();
    path.push(root);
    next.push(0);
    while (!path.isEmpty()) {
      SpanNode node = path.element();
      int index = next.pop();
      if (index == 0) {
        open.remove(node);
        node.startOrder = ++order[0];
      }
      if (index < node.children.size()) {
        next.push(index + 1);
        path.push(node.children.get(index));
        next.push(0);
      } else {
        path.pop();
        node.endOrder = ++order[0];
      }
    }
  }

  private List<SpanNode> sorted(ToLongFunction<SpanNode> order) {
    List<SpanNode> sorted = new ArrayList<>(nodes);
    sorted.sort(Comparator.comparingLong(order));
    return sorted;
  }

  /** Finds the spans of tools that are the call of a second one, as its client sees it. */
  private void decideTools(Vocabulary vocabulary) {
    Map<SpanNode, SpanNode> above = new HashMap<>();
    for (SpanNode node : sorted(node -> node.startOrder)) {
      SpanNode parent = node.parent;
      if (parent == null) {
        continue;
      }
      SpanNode nearest = parent.role == SpanRole.OTHER ? above.get(parent) : parent;
      if (nearest == null) {
        continue;
      }
      above.put(node, nearest);
      String name = vocabulary.name(node.span);
      if (node.role == SpanRole.TOOL
          && nearest.role == SpanRole.TOOL
          && (name == null || name.equals(vocabulary.name(nearest.span)))) {
        node.role = SpanRole.OTHER;
      }
    }
  }

  /**
   * The content of a span.
   *
   * @param requests the requests outside of the tools and agents in it, at most two
   * @param hasCall whether there is a request or a tool outside of the other tools and agents
   * @param hasRequest whether there is a request at all
   */
  private record Below(List<SpanNode> requests, boolean hasCall, boolean hasRequest) {

    static final Below NOTHING = new Below(List.of(), false, false);

    static Below of(SpanNode node, Map<SpanNode, Below> known) {
      List<SpanNode> requests = new ArrayList<>();
      boolean hasCall = false;
      boolean hasRequest = false;
      for (SpanNode child : node.children) {
        Below below = known.getOrDefault(child, NOTHING);
        if (child.role == SpanRole.MODEL) {
          requests.add(child);
        } else if (child.role == SpanRole.OTHER) {
          requests.addAll(below.requests());
          hasCall |= below.hasCall();
        }
        hasCall |= child.role == SpanRole.MODEL || child.role == SpanRole.TOOL;
        hasRequest |= child.isRequest() || below.hasRequest();
      }
      List<SpanNode> few = requests.size() > 2 ? requests.subList(0, 2) : requests;
      return new Below(few, hasCall, hasRequest);
    }
  }

  /**
   * Decides which spans are a request to a model. Of several nested ones it is the innermost that
   * states messages. A span with several requests in it is none itself. An agent without requests
   * in it is one if its span states what it answered, as some tracers have it. An agent without any
   * call of its own only wraps others, and is none.
   */
  private void decideRequests(Vocabulary vocabulary) {
    Map<SpanNode, Below> known = new HashMap<>();
    for (SpanNode node : sorted(node -> node.endOrder)) {
      Below below = Below.of(node, known);
      known.put(node, below);
      if (node.role == SpanRole.AGENT) {
        node.isAnswered = !below.hasRequest() && vocabulary.hasAnswer(node.span);
        node.role = node.isAnswered || below.hasCall() ? SpanRole.AGENT : SpanRole.OTHER;
      } else if (node.role == SpanRole.MODEL && below.requests().size() > 1) {
        node.role = SpanRole.OTHER;
      } else if (node.role == SpanRole.MODEL && below.requests().size() == 1) {
        decideRequest(below.requests().get(0), node, vocabulary);
      }
    }
  }

  private static void decideRequest(SpanNode inner, SpanNode outer, Vocabulary vocabulary) {
    boolean isOuter = !vocabulary.hasContent(inner.span) && vocabulary.hasContent(outer.span);
    SpanNode chosen = isOuter ? outer : inner;
    SpanNode other = isOuter ? inner : outer;
    chosen.sameRequest.addAll(other.sameRequest);
    other.sameRequest.clear();
    chosen.sameRequest.add(other);
    other.role = SpanRole.OTHER;
  }
}
