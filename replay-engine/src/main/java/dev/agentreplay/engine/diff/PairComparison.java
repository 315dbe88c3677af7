package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.internal.Hashes;
import dev.agentreplay.engine.diff.EventChange.Event;
import dev.agentreplay.engine.internal.EventContent;
import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the events of steps that may differ, and says how they do. */
final class PairComparison implements Closeable {

  private static final int BATCH = 128;
  private static final long BATCH_BYTES = 4 << 20;

  private final CompiledRules rules;
  private final CanonicalJson canonical;
  private final DiffOptions options;
  private final Session leftSession;
  private final Session rightSession;
  private final EventLoader leftEvents;
  private final EventLoader rightEvents;
  private boolean isPatched;

  PairComparison(
      SessionSteps.Read left,
      SessionSteps.Read right,
      CompiledRules rules,
      CanonicalJson canonical,
      DiffOptions options)
      throws IOException {
    this.rules = rules;
    this.canonical = canonical;
    this.options = options;
    this.leftSession = left.session();
    this.rightSession = right.session();
    this.leftEvents = new EventLoader(left.session(), left.dialect());
    try {
      this.rightEvents = new EventLoader(right.session(), right.dialect());
    } catch (IOException | RuntimeException | Error e) {
      leftEvents.close();
      throw e;
    }
  }

  /** Two steps, one of which may be missing. */
  record Steps(@Nullable IndexedStep left, @Nullable IndexedStep right) {}

  /** Takes how two steps differ, in order. */
  interface Sink {

    /** The events that differ; none when the rules have it that none does. */
    void changes(int index, List<EventChange> changes) throws IOException;
  }

  /**
   * Compares steps, some at a time.
   *
   * @param wantsPatches whether the patches of the next ones are asked for
   */
  void compare(List<Steps> pairs, Sink sink, BooleanSupplier wantsPatches) throws IOException {
    int to;
    for (int from = 0; from < pairs.size(); from = to) {
      to = end(pairs, from);
      List<Steps> batch = pairs.subList(from, to);
      List<Position> lefts = new ArrayList<>();
      List<Position> rights = new ArrayList<>();
      for (Steps pair : batch) {
        addPositions(pair.left(), lefts);
        addPositions(pair.right(), rights);
      }
      Map<Long, ReplayLine> leftLines = leftEvents.load(lefts);
      Map<Long, ReplayLine> rightLines = rightEvents.load(rights);
      for (int i = 0; i < batch.size(); i++) {
        isPatched = wantsPatches.getAsBoolean();
        sink.changes(from + i, compare(batch.get(i), leftLines, rightLines));
      }
    }
  }

  /** Where a batch ends that is neither of too many steps nor of too many bytes. */
  private static int end(List<Steps> pairs, int from) {
    int end = from;
    long bytes = 0;
    while (end < pairs.size() && end - from < BATCH && bytes < BATCH_BYTES) {
      bytes += bytes(pairs.get(end).left()) + bytes(pairs.get(end).right());
      end++;
    }
    return end;
  }

  private static long bytes(@Nullable IndexedStep step) {
    return step == null ? 0 : step.bytes();
  }

  private static void addPositions(@Nullable IndexedStep step, List<Position> positions) {
    if (step != null) {
      positions.add(step.at());
      if (step.result() != null) {
        positions.add(step.result());
      }
    }
  }

  private List<EventChange> compare(
      Steps pair, Map<Long, ReplayLine> leftLines, Map<Long, ReplayLine> rightLines)
      throws IOException {
    IndexedStep left = pair.left();
    IndexedStep right = pair.right();
    List<EventChange> changes = new ArrayList<>();
    add(
        pair,
        left == null ? null : leftLines.get(left.at().line()),
        right == null ? null : rightLines.get(right.at().line()),
        changes);
    add(
        pair,
        left == null || left.result() == null
            ? null
            : leftLines.get(left.result().line()),
        right == null || right.result() == null
            ? null
            : rightLines.get(right.result().line()),
        changes);
    changes.sort(Comparator.comparing(PairComparison::kind));
    return changes;
  }

  private void add(
      Steps pair, @Nullable ReplayLine left, @Nullable ReplayLine right, List<EventChange> changes)
      throws IOException {
    if (left != null && right != null) {
      compare(Objects.requireNonNull(pair.left()).step(), left, right, changes);
    } else if (left != null) {
      boolean isAlone = pair.right() == null;
      JsonValue value = isAlone ? null : leftSession.resolve(EventContent.of(left.event()));
      changes.add(new EventChange(
          event(left),
          null,
          isAlone ? List.of() : List.of(unanswered(left, true, value)),
          isPatched ? JsonPatch.removed(left.json()) : JsonArray.EMPTY));
    } else if (right != null) {
      boolean isAlone = pair.left() == null;
      JsonValue value = isAlone ? null : rightSession.resolve(EventContent.of(right.event()));
      changes.add(new EventChange(
          null,
          event(right),
          isAlone ? List.of() : List.of(unanswered(right, false, value)),
          isPatched ? JsonPatch.added(right.json()) : JsonArray.EMPTY));
    }
  }

  /** A call that is answered in one session only, with a value or without one. */
  private static ValueChange unanswered(
      ReplayLine result, boolean isLeft, @Nullable JsonValue value) {
    DivergenceKind kind = DivergenceKind.RESPONSE;
    String pointer = "/answer";
    if (result.event() instanceof ToolResult answer) {
      kind = answer.outcome().succeeded() ? DivergenceKind.OUTPUT : DivergenceKind.OUTCOME;
      pointer = "/output";
    }
    JsonValue shown = value == null ? result.json() : value;
    String place = value == null ? "" : pointer;
    return new ValueChange(kind, place, place, isLeft ? shown : null, isLeft ? null : shown, null);
  }

  private void compare(Step step, ReplayLine left, ReplayLine right, List<EventChange> changes)
      throws IOException {
    JsonValue leftValue = leftSession.resolve(EventContent.of(left.event()));
    JsonValue rightValue = rightSession.resolve(EventContent.of(right.event()));
    // where one log has a value and the other its hash only, the hashes are compared
    boolean hashesOnly =
        isHashOnly(leftValue, left.event()) || isHashOnly(rightValue, right.event());
    JsonObject leftView = view(left.event(), leftValue, hashesOnly);
    JsonObject rightView = view(right.event(), rightValue, hashesOnly);
    List<ValueChange> values =
        rules.compare(step, leftView, rightView, member -> EventView.kind(step.kind(), member));
    if (!values.isEmpty()) {
      changes.add(new EventChange(
          event(left),
          event(right),
          values.stream().sorted(Comparator.comparing(ValueChange::kind)).toList(),
          isPatched
              ? JsonPatch.between(left.json(), right.json(), leftView.names(), options.limits())
              : JsonArray.EMPTY));
    }
  }

  /** Whether an event has a value that is not in the log; one without a value has none to hash. */
  private static boolean isHashOnly(@Nullable JsonValue value, ReplayEvent event) {
    Content content = EventContent.of(event);
    return value == null && (content.hash() != null || content.blob() != null);
  }

  private JsonObject view(ReplayEvent event, @Nullable JsonValue value, boolean hashOnly)
      throws IOException {
    EventView.Contents contents = (view, name, content) -> {
      if (value == null) {
        view.putHash(name, content.hash());
      } else if (hashOnly) {
        view.putHash(name, Hashes.comparable(value, canonical));
      } else {
        view.put(name, value);
      }
    };
    return EventView.of(event, contents, options.strict());
  }

  private static Event event(ReplayLine line) {
    return new Event(line.position().line(), line.json());
  }

  /** What an event differs in first; a whole event that is missing comes before all. */
  private static DivergenceKind kind(EventChange change) {
    return change.values().isEmpty()
        ? DivergenceKind.MISSING
        : change.values().get(0).kind();
  }

  @Override
  public void close() throws IOException {
    try (leftEvents) {
      rightEvents.close();
    }
  }
}
