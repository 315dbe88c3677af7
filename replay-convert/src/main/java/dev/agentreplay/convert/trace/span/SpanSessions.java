package dev.agentreplay.convert.trace.span;

import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Timestamp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spans of a source, from which its sessions are written: one for each session that the spans
 * name, and one for each trace that names none. Traces in which nothing is done by an agent are
 * kept together in one session. Not safe for use by several threads.
 */
public final class SpanSessions {

  private final Vocabulary vocabulary;
  private final List<Span> spans = new ArrayList<>();
  private final List<Span.Envelope> others = new ArrayList<>();
  private final List<SourceLines.Line> broken = new ArrayList<>();

  /** Creates sessions without spans. */
  public SpanSessions(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** Adds a span. */
  public void add(Span span) {
    spans.add(span);
  }

  /** Adds a value of the source that belongs to no span. */
  public void add(Span.Envelope other) {
    others.add(other);
  }

  /** Adds a line that cannot be read. */
  public void add(SourceLines.Line line) {
    broken.add(line);
  }

  /** Writes the sessions; the first one has what belongs to no span. */
  public void write(TraceOutput output) throws IOException {
    List<Group> groups = groups();
    if (groups.isEmpty()) {
      groups = List.of(new Group(null, List.of(), SpanTree.of(List.of(), vocabulary)));
    }
    boolean isFirst = true;
    for (Group group : groups) {
      TraceSession session = output.begin(group.id(), group.time());
      new SpanSession(session, vocabulary, group.tree())
          .write(isFirst ? broken : List.of(), isFirst ? others : List.of());
      isFirst = false;
    }
  }

  /** The spans of one session. */
  private record Group(@Nullable String id, List<Span> spans, SpanTree tree) {

    @Nullable
    Timestamp time() {
      try {
        return spans.stream()
            .map(span -> span.times().start())
            .filter(start -> start != null)
            .min(Comparator.naturalOrder())
            .map(Timestamp::of)
            .orElse(null);
      } catch (IllegalArgumentException notRepresentable) {
        return null;
      }
    }

    boolean hasCalls() {
      return tree.nodes().stream().anyMatch(node -> node.isRequest() || node.role == SpanRole.TOOL);
    }
  }

  private List<Group> groups() {
    Map<String, List<Span>> traces = new LinkedHashMap<>();
    List<Span> byTime = new ArrayList<>(spans);
    byTime.sort(Comparator.comparing(
        (Span span) -> span.times().start(), Comparator.nullsLast(Comparator.naturalOrder())));
    Map<String, String> sessions = new HashMap<>();
    OuterSpans outer = new OuterSpans(spans);
    for (Span span : byTime) {
      String session = vocabulary.session(span);
      if (session != null) {
        sessions.putIfAbsent(span.link().trace(), session);
      }
    }
    for (Span span : byTime) {
      Span containing = outer.find(span);
      String trace = (containing == null ? span : containing).link().trace();
      traces
          .computeIfAbsent(sessions.getOrDefault(trace, trace), any -> new ArrayList<>())
          .add(span);
    }
    List<Group> groups = new ArrayList<>();
    List<Span> withoutCalls = new ArrayList<>();
    traces.forEach((id, members) -> {
      SpanTree tree = SpanTree.of(members, vocabulary);
      Group group = new Group(id.isBlank() ? null : id, members, tree);
      if (group.hasCalls()) {
        groups.add(group);
      } else {
        withoutCalls.addAll(members);
      }
    });
    if (!withoutCalls.isEmpty()) {
      groups.add(new Group(null, withoutCalls, SpanTree.of(withoutCalls, vocabulary)));
    }
    return groups;
  }
}
