package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.CompiledRules.MemberComparison;
import dev.agentreplay.engine.diff.EventChange.Event;
import dev.agentreplay.engine.diff.value.BlobValues;
import dev.agentreplay.engine.diff.value.BlobValues.BlobKey;
import dev.agentreplay.engine.diff.value.JsonPatch;
import dev.agentreplay.engine.diff.value.RecentlyUsed;
import dev.agentreplay.engine.lines.EventLoader;
import dev.agentreplay.engine.lines.PublishedPair;
import dev.agentreplay.engine.lines.SharedLine;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rereads the events of steps that may differ, and compares them. */
final class PairComparison implements Closeable {

  private static final int BATCH = 128;
  private static final long BATCH_BYTES = 4 << 20;

  /**
   * The most bytes of blobs whose values may be referenced by cached results of their comparison.
   */
  private static final long MAX_COMPARED_BYTES = 4 << 20;

  private static final long SMALLEST_COMPARISON = 1 << 10;

  /** The events of a step: the call, or the step itself, and its result. */
  private static final List<Function<IndexedStep, @Nullable Position>> PARTS =
      List.of(IndexedStep::at, IndexedStep::result);

  private static final Comparator<ValueChange> BY_MEMBER =
      Comparator.comparing(ValueChange::kind).thenComparing(PairComparison::member);

  private final CompiledRules rules;
  private final DiffOptions options;
  private final BlobValues leftValues;
  private final BlobValues rightValues;
  private final RecentlyUsed<BlobPair, MemberComparison> compared =
      new RecentlyUsed<>(MAX_COMPARED_BYTES);
  private final EventLoader leftEvents;
  private final EventLoader rightEvents;
  private final StoredFiles files;

  /** Null when both sessions are originals. */
  private final @Nullable PublishedPair published;

  private boolean isPatched;

  PairComparison(
      SessionSteps.Read left,
      SessionSteps.Read right,
      CompiledRules rules,
      CanonicalJson canonical,
      DiffOptions options,
      @Nullable PublishedPair published)
      throws IOException {
    this.published = published;
    this.rules = rules;
    this.options = options;
    this.leftValues = new BlobValues(left.session(), canonical);
    this.rightValues = new BlobValues(right.session(), canonical);
    this.files = new StoredFiles(left.session(), right.session());
    this.leftEvents = loader(left);
    try {
      this.rightEvents = loader(right);
    } catch (IOException | RuntimeException | Error e) {
      leftEvents.close();
      throw e;
    }
  }

  private static EventLoader loader(SessionSteps.Read read) throws IOException {
    return new EventLoader(read.session(), read.dialect(), read.prompts());
  }

  /** Two blobs that hold the same member of their events, with the kind of a difference in it. */
  private record BlobPair(String member, DivergenceKind kind, BlobKey left, BlobKey right) {

    long bytes() {
      return left.bytes() + right.bytes();
    }
  }

  /** Receives the differences of the pairs, in order. */
  interface Sink {

    /**
     * Receives the events that differ in one pair; empty when the pair is equal under the rules.
     */
    void changes(int index, List<EventChange> changes) throws IOException;
  }

  /**
   * Compares pairs of steps in batches.
   *
   * @param isListing whether the next divergence is listed, and so needs patches and the replaced
   *     parts of texts
   */
  void compare(List<Sides<IndexedStep>> pairs, Sink sink, BooleanSupplier isListing)
      throws IOException {
    int to;
    for (int from = 0; from < pairs.size(); from = to) {
      to = end(pairs, from);
      List<Sides<IndexedStep>> batch = pairs.subList(from, to);
      List<Position> lefts = new ArrayList<>();
      List<Position> rights = new ArrayList<>();
      for (Sides<IndexedStep> pair : batch) {
        addPositions(pair.left(), lefts);
        addPositions(pair.right(), rights);
      }
      Map<Long, ReplayLine> leftLines = leftEvents.load(lefts);
      Map<Long, ReplayLine> rightLines = rightEvents.load(rights);
      for (int i = 0; i < batch.size(); i++) {
        isPatched = isListing.getAsBoolean();
        rules.tellReplacements(isPatched);
        rules.tellPlaces(isPatched || !options.accepted().isEmpty());
        sink.changes(from + i, compare(batch.get(i), leftLines, rightLines));
      }
    }
  }

  /**
   * The end of a batch, which has a bounded number of steps and about a bounded number of bytes.
   */
  private static int end(List<Sides<IndexedStep>> pairs, int from) {
    int end = from;
    long bytes = 0;
    while (end < pairs.size() && end - from < BATCH && bytes < BATCH_BYTES) {
      bytes += bytes(pairs.get(end));
      end++;
    }
    return end;
  }

  /** The length of the lines of both steps, in bytes. */
  static long bytes(Sides<IndexedStep> pair) {
    return pair instanceof Sides.Both<IndexedStep> both
        ? both.left().bytes() + both.right().bytes()
        : pair.any().bytes();
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
      Sides<IndexedStep> pair, Map<Long, ReplayLine> leftLines, Map<Long, ReplayLine> rightLines)
      throws IOException {
    List<EventChange> changes = new ArrayList<>();
    for (Function<IndexedStep, @Nullable Position> part : PARTS) {
      ReplayLine left = line(pair.left(), part, leftLines);
      ReplayLine right = line(pair.right(), part, rightLines);
      if (left != null && right != null) {
        compare(pair.any().step(), left, right, changes);
      } else if (left != null || right != null) {
        Sides<SharedLine> lines = Sides.of(alone(left, true), alone(right, false));
        changes.add(single(lines, pair instanceof Sides.Both));
      }
    }
    changes.sort(Comparator.comparing(PairComparison::kind));
    return changes;
  }

  private static @Nullable ReplayLine line(
      @Nullable IndexedStep step,
      Function<IndexedStep, @Nullable Position> part,
      Map<Long, ReplayLine> lines) {
    Position position = step == null ? null : part.apply(step);
    return position == null ? null : lines.get(position.line());
  }

  private @Nullable SharedLine alone(@Nullable ReplayLine line, boolean isLeft) {
    return line == null
        ? null
        : published == null ? SharedLine.of(line) : published.alone(isLeft, line);
  }

  /** An event that only one session has. In a pair of steps that both have, it is a result. */
  private EventChange single(Sides<SharedLine> lines, boolean isResult) throws IOException {
    JsonObject json = lines.any().json();
    JsonArray patch = JsonArray.EMPTY;
    if (isPatched) {
      patch = lines.left() == null ? JsonPatch.added(json) : JsonPatch.removed(json);
    }
    return new Results.EventChangeData(
        lines.map(PairComparison::event), isResult ? List.of(unanswered(lines)) : List.of(), patch);
  }

  /** The difference of a call that only one session has a result for, with or without a value. */
  private ValueChange unanswered(Sides<SharedLine> lines) throws IOException {
    SharedLine result = lines.any();
    BlobValues blobs = lines.left() == null ? rightValues : leftValues;
    JsonValue value = blobs.resolve(result.event().content());
    DivergenceKind kind = DivergenceKind.RESPONSE;
    if (result.event() instanceof ToolResult answer) {
      kind = answer.outcome().succeeded() ? DivergenceKind.OUTPUT : DivergenceKind.OUTCOME;
    }
    String place = value == null ? "" : "/" + result.event().kind().contentName();
    Sides<JsonValue> shown = lines.map(line -> value == null ? line.json() : value);
    return new Results.ValueChangeData(kind, place, place, shown, null, null, null);
  }

  private void compare(Step step, ReplayLine left, ReplayLine right, List<EventChange> changes)
      throws IOException {
    PublishedPair.Shared lines = published == null
        ? PublishedPair.Shared.of(left, right)
        : published.reduce(left, right, options.strict());
    compare(step, lines.left(), lines.right(), rules.withheld(lines.unshared()), changes);
  }

  private void compare(
      Step step,
      SharedLine left,
      SharedLine right,
      List<ValueChange> withheld,
      List<EventChange> changes)
      throws IOException {
    BlobPair blobs = blobs(step, left.event(), right.event());
    MemberComparison content = blobs == null ? null : compare(step, blobs, left, right);
    JsonObject leftView;
    JsonObject rightView;
    if (content != null) {
      EventView.Contents alike = (view, name, value) -> view.put(name, JsonObject.EMPTY);
      leftView = EventView.of(left.event(), alike, options.strict());
      rightView = EventView.of(right.event(), alike, options.strict());
    } else {
      boolean leftHas = leftValues.resolve(left.event().content()) != null;
      boolean rightHas = rightValues.resolve(right.event().content()) != null;
      // if one log has a value and the other only its hash, the hashes are compared
      boolean hashesOnly = isHashOnly(leftHas, left.event()) || isHashOnly(rightHas, right.event());
      leftView = view(left.event(), leftValues, hashesOnly);
      rightView = view(right.event(), rightValues, hashesOnly);
    }
    leftView = withDelta(EventView.comparable(left.event(), leftView, rightView), left);
    rightView = withDelta(EventView.comparable(right.event(), rightView, leftView), right);
    List<ValueChange> values = new ArrayList<>(
        rules.compare(step, leftView, rightView, member -> EventView.kind(step.kind(), member)));
    values.addAll(withheld);
    if (content != null) {
      rules.count(content);
      values.addAll(place(content, values), content.changes());
    }
    if (isPatched
        && left.event() instanceof FileState before
        && right.event() instanceof FileState after) {
      values = files.describe(before, after, values);
    }
    if (!values.isEmpty()) {
      changes.add(new Results.EventChangeData(
          new Sides.Both<>(event(left), event(right)),
          values.stream().sorted(Comparator.comparing(ValueChange::kind)).toList(),
          isPatched
              ? JsonPatch.between(
                  left.json(), right.json(), leftView.names(), options.limits().maxElements())
              : JsonArray.EMPTY));
    }
  }

  /** A view with the change of a prompt that cannot be compared in full. */
  private static JsonObject withDelta(JsonObject view, SharedLine line) {
    return line.delta() == null ? view : view.with(Names.PROMPT_DELTA, line.delta());
  }

  /**
   * The blobs of two events; null unless both values are stored as blobs and their comparison
   * depends on nothing else.
   */
  private @Nullable BlobPair blobs(Step step, ReplayEvent left, ReplayEvent right) {
    BlobKey leftBlob = BlobKey.of(left.content());
    BlobKey rightBlob = BlobKey.of(right.content());
    String member = left.kind().contentName();
    return leftBlob == null
            || rightBlob == null
            || member == null
            || left.kind() != right.kind()
            || !rules.isRepeatable()
        ? null
        : new BlobPair(member, EventView.kind(step.kind(), member), leftBlob, rightBlob);
  }

  /** Compares the values in two blobs; null when one of the blobs is missing or cannot be read. */
  private @Nullable MemberComparison compare(
      Step step, BlobPair blobs, SharedLine left, SharedLine right) throws IOException {
    MemberComparison known = compared.get(blobs);
    if (known != null) {
      return known;
    }
    JsonValue leftValue = leftValues.resolve(left.event().content());
    JsonValue rightValue = rightValues.resolve(right.event().content());
    if (leftValue == null || rightValue == null) {
      return null;
    }
    MemberComparison found =
        rules.compare(step, blobs.member(), leftValue, rightValue, blobs.kind());
    long bytes =
        found.changes().stream().mapToLong(ValueComparison::detailBytes).sum();
    compared.put(
        blobs,
        found,
        SMALLEST_COMPARISON + bytes + (found.changes().isEmpty() ? 0 : blobs.bytes()));
    return found;
  }

  /**
   * The index at which the changes of one member belong among those of others, by kind and name.
   */
  private static int place(MemberComparison member, List<ValueChange> others) {
    int place = 0;
    while (!member.changes().isEmpty()
        && place < others.size()
        && BY_MEMBER.compare(others.get(place), member.changes().get(0)) < 0) {
      place++;
    }
    return place;
  }

  private static String member(ValueChange change) {
    int end = change.pointer().indexOf('/', 1);
    return end < 0 ? change.pointer() : change.pointer().substring(0, end);
  }

  /**
   * Whether the log has the hash of a value, but not the value; false for an event without a value.
   */
  private static boolean isHashOnly(boolean hasValue, ReplayEvent event) {
    Content content = event.content();
    return !hasValue && (content.hash() != null || content.blob() != null);
  }

  private JsonObject view(ReplayEvent event, BlobValues blobs, boolean hashOnly)
      throws IOException {
    EventView.Contents contents = (view, name, content) -> {
      JsonValue value = blobs.resolve(content);
      if (value == null) {
        view.putHash(name, content.hash());
      } else if (hashOnly) {
        view.putHash(name, blobs.comparable(content));
      } else {
        view.put(name, value);
      }
    };
    return EventView.of(event, contents, options.strict());
  }

  private static Event event(SharedLine line) {
    return new Results.EventData(line.number(), line.recorded());
  }

  /** The first kind of difference in an event; a whole event that is missing comes first. */
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
