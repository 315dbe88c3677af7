package dev.agentreplay.convert.trace.span;

import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes one session from its spans. What the spans state is taken first, so that their calls can
 * be matched; then the events are written in the order of their times.
 */
final class SpanSession {

  /** A point in time at which an event is written. */
  private record Point(Instant time, long order, Writing writing) {}

  private interface Writing {
    void write(Instant time) throws IOException;
  }

  private final TraceSession session;
  private final Vocabulary vocabulary;
  private final SpanTree tree;
  private final Map<SpanNode, SpanRecord> records = new HashMap<>();
  private final Map<SpanNode, ModelFacts> models = new HashMap<>();
  private final Map<SpanNode, ToolFacts> tools = new HashMap<>();
  private final ToolCalls calls = new ToolCalls();
  private final List<Point> points = new ArrayList<>();

  /** The end of a session that was exported; null if it was not, or did not end. */
  private @Nullable ReplayEvent restoredEnd;

  SpanSession(TraceSession session, Vocabulary vocabulary, SpanTree tree) {
    this.session = session;
    this.vocabulary = vocabulary;
    this.tree = tree;
  }

  /**
   * Writes the session.
   *
   * @param broken the lines that are not records
   * @param others the values of the source that belong to no span
   */
  void write(List<SourceLines.Line> broken, List<Span.Envelope> others) throws IOException {
    SpanLanes.decide(tree, vocabulary);
    takeRecords();
    List<SpanNode> inOrder = tree.inOrder();
    takeFacts(inOrder);
    matchCalls(inOrder);
    restore();
    SpanCircumstances circumstances = new SpanCircumstances(session, records);
    circumstances.setEnvironment(inOrder);
    task(inOrder);
    for (SourceLines.Line line : broken) {
      writeBroken(line);
    }
    for (Span.Envelope other : others) {
      circumstances.write(other, true);
    }
    circumstances.write(inOrder, models);
    CallEvents events = new CallEvents(session, calls);
    for (SpanNode node : tree.nodes()) {
      SpanRecord record = records.get(node);
      if (record != null) {
        addPoints(node, record, events);
      }
    }
    points.sort(Comparator.comparing(Point::time).thenComparingLong(Point::order));
    for (Point point : points) {
      point.writing().write(point.time());
    }
    writeEnd();
  }

  private void writeBroken(SourceLines.Line line) throws IOException {
    if (line.json() == null) {
      session.broken(line);
    } else if (line.fault() != null) {
      session.fault(line.fault());
    }
  }

  private void takeRecords() {
    Set<JsonObject> seen = new HashSet<>();
    for (SpanNode node : tree.nodes()) {
      Span.Source source = node.span.source();
      SourceRecord record =
          session.record(source.json(), vocabulary.type(node.span), source.place(), source.hash());
      for (List<String> path : source.restated()) {
        record.restate(SpanRecord.RESTATED, path.toArray(String[]::new));
      }
      if (!vocabulary.isKnown(node.span)) {
        record.unknown();
      }
      if (node.span.link().id() != null && !seen.add(source.json())) {
        record.dropAll("the same span was read before");
      } else {
        records.put(node, new SpanRecord(node.span, record));
      }
    }
  }

  private void takeFacts(List<SpanNode> inOrder) {
    for (SpanNode node : inOrder) {
      SpanRecord record = records.get(node);
      if (record == null) {
        continue;
      }
      if (node.isRequest()) {
        ModelFacts facts = vocabulary.model(record);
        models.put(node, facts.usage().isStated() ? facts : withUsage(node, facts));
      } else if (node.role == SpanRole.TOOL) {
        tools.put(node, vocabulary.tool(record));
      }
    }
  }

  /** The tokens of another span of the same request, if that is the one that states them. */
  private ModelFacts withUsage(SpanNode node, ModelFacts facts) {
    for (SpanNode other : node.sameRequest) {
      SpanRecord record = records.get(other);
      ModelFacts.Usage usage = record == null ? ModelFacts.Usage.NONE : vocabulary.usage(record);
      if (usage.isStated()) {
        return facts.withUsage(usage);
      }
    }
    return facts;
  }

  private void matchCalls(List<SpanNode> inOrder) {
    tools.forEach((node, facts) -> {
      if (facts.id() != null) {
        calls.addStated(node, facts.id());
      }
    });
    for (SpanNode node : inOrder) {
      ModelFacts model = models.get(node);
      ToolFacts tool = tools.get(node);
      if (model != null) {
        calls.addAnswer(node, ToolMessages.calls(model.answer()));
      } else if (tool != null) {
        boolean isAsked = calls.add(node, tool.name());
        String id = isAsked ? "that of the call that the answer asks for" : "the id of the span";
        if (tool.id() == null) {
          requireRecord(node).generate("ToolCall/id", id);
        }
      }
    }
  }

  private SourceRecord requireRecord(SpanNode node) {
    return Objects.requireNonNull(records.get(node)).record();
  }

  private void task(List<SpanNode> inOrder) throws IOException {
    for (SpanNode node : inOrder) {
      ModelFacts model = models.get(node);
      if (model == null || node.lane != null) {
        continue;
      }
      for (JsonValue message : model.prompt().messages()) {
        String text = ToolMessages.isOfUser(message) ? ToolMessages.firstText(message) : null;
        if (text != null && !text.isBlank()) {
          session.task(text);
          return;
        }
      }
    }
  }

  private void addPoints(SpanNode node, SpanRecord record, CallEvents events) {
    long start = 2 * node.startOrder;
    long end = 2 * node.endOrder;
    ModelFacts model = models.get(node);
    ToolFacts tool = tools.get(node);
    if (model != null) {
      points.add(new Point(
          node.start, start, time -> events.writeCall(node, record, model, meta(node, time))));
      SpanNode before = node.isAnswered ? null : firstBelow(node);
      boolean isEarly = before != null && before.start.isBefore(node.end());
      if (isEarly) {
        record.record().generate("ModelResult/t", "the start of the first tool in the span");
      }
      points.add(new Point(
          isEarly && before != null ? before.start : node.end(),
          before != null ? 2 * before.startOrder - 1 : end,
          time -> events.writeResult(node, record, model, meta(node, time))));
    } else if (tool != null) {
      points.add(new Point(
          node.start, start, time -> events.writeCall(node, record, tool, meta(node, time))));
      if (!KeptMembers.isUnanswered(node.span)) {
        points.add(new Point(
            node.end(), end, time -> events.writeResult(node, record, tool, meta(node, time))));
      }
    } else {
      List<ReplayEvent> others = KeptMembers.others(record);
      points.add(
          new Point(node.start, start, time -> session.keep(record.record(), meta(node, time))));
      for (ReplayEvent other : others) {
        Instant at = other.time() == null ? node.start : other.time().instant();
        points.add(new Point(at, start, time -> session.derive(other, record.record())));
      }
    }
  }

  /** The first tool or agent in the span of a request, which begins after the answer. */
  private static @Nullable SpanNode firstBelow(SpanNode node) {
    SpanNode first = null;
    List<SpanNode> open = new ArrayList<>(node.children);
    while (!open.isEmpty()) {
      SpanNode next = open.remove(open.size() - 1);
      if (next.role == SpanRole.OTHER) {
        open.addAll(next.children);
      } else if (next.role != SpanRole.MODEL && (first == null || isBefore(next, first))) {
        first = next;
      }
    }
    return first;
  }

  private static boolean isBefore(SpanNode one, SpanNode other) {
    int order = one.start.compareTo(other.start);
    return order < 0 || (order == 0 && one.startOrder < other.startOrder);
  }

  private Meta meta(SpanNode node, Instant time) {
    Meta meta = Meta.NONE.withTime(timestamp(node, time)).withAgent(node.lane);
    return node.lane == null || node.startedBy == null
        ? meta
        : meta.withParent(calls.id(node.startedBy));
  }

  private @Nullable Timestamp timestamp(SpanNode node, Instant time) {
    if (time.equals(Instant.EPOCH)) {
      return null;
    }
    try {
      return Timestamp.of(time);
    } catch (IllegalArgumentException notRepresentable) {
      session.fault(new SourceFault(
          SourceFault.Kind.CONTRADICTION,
          node.span.source().place(),
          "the time of the span is not within the years 0 to 9999"));
      return null;
    }
  }

  /** Writes the end, if the only root of the last trace states how it ended. */
  private void writeEnd() throws IOException {
    SpanNode last = null;
    for (SpanNode root : tree.roots()) {
      last = last == null || root.start.isAfter(last.start) ? root : last;
    }
    if (last == null || records.get(last) == null) {
      return;
    }
    SpanNode root = last;
    boolean isOnly = tree.roots().stream()
        .noneMatch(other ->
            other != root && other.span.link().trace().equals(root.span.link().trace()));
    Span.Status status = root.span.status();
    if (!isOnly || status.state() == Span.State.UNSET || root.span.link().parent() != null) {
      return;
    }
    Instant end =
        tree.nodes().stream().map(SpanNode::end).max(Comparator.naturalOrder()).orElse(root.end());
    SessionEnd event = SessionEnd.of(status.isError() ? Status.FAILED : Status.SUCCESS)
        .withErrorMessage(status.isError() ? status.message() : null)
        .withMeta(Meta.NONE.withTime(timestamp(root, end)));
    requireRecord(root).derive("SessionEnd/status", "status");
    session.derive(restoredEnd == null ? event : restoredEnd, requireRecord(root));
  }

  /** Restores the start and the end of a session that was exported. */
  private void restore() {
    JsonObject id = JsonObject.of(Names.SESSION_ID, session.start().meta().sessionId());
    for (SpanNode root : tree.roots()) {
      SpanRecord record = records.get(root);
      if (record == null) {
        continue;
      }
      if (KeptMembers.restore(record, KeptMembers.START, EventKind.SESSION_START, id)
          instanceof SessionStart start) {
        session.start(start);
      }
      ReplayEvent end =
          KeptMembers.restore(record, KeptMembers.END, EventKind.SESSION_END, JsonObject.EMPTY);
      restoredEnd = end == null ? restoredEnd : end;
    }
  }
}
