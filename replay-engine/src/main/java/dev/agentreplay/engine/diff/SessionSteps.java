package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.engine.diff.value.Traits;
import dev.agentreplay.engine.lines.PromptBases;
import dev.agentreplay.engine.lines.PublishedPair;
import dev.agentreplay.engine.lines.RequestedTools;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.RunTotals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a session as a sequence of steps. Keeps for each step the hashes by which it is aligned and
 * the positions of its events, not its values.
 */
final class SessionSteps {

  private static final int LONG_NAME = 1_000;

  private final Session session;
  private final CompiledRules rules;
  private final Side side;
  private final CanonicalJson canonical;
  private final DiffOptions options;

  /** Null when both sessions are originals. */
  private final @Nullable PublishedPair published;

  /**
   * Null when no rule depends on values: the hash of a value is enough, and a log may hold only
   * that.
   */
  private final @Nullable NormalContents contents;

  private final List<@Nullable StepBuilder> steps = new ArrayList<>();
  private final CallPairing<StepBuilder> calls = new CallPairing<>();
  private final CallPairing<StepBuilder> turns = new CallPairing<>();
  private final RequestedTools requested = new RequestedTools();
  private final LaneStarts starts = new LaneStarts();

  /** The number of steps; one with a long name counts as several, because it takes more memory. */
  private long weight;

  private int callNumber;
  private int ordinal;
  private int ignored;
  private long events;
  private boolean isBlank = true;
  private final RunTotals totals = new RunTotals();
  private final PromptBases prompts;
  private @Nullable ReplayLine current;
  private @Nullable String id;
  private @Nullable Dialect dialect;

  /**
   * A session that was read.
   *
   * @param session the location of the session
   * @param dialect its dialect; null when the log is empty
   * @param summary its description in reports
   * @param steps its steps that are compared
   * @param starts the steps in lanes that calls started, with these calls
   * @param prompts its prompts that are changes of earlier ones
   * @param ignoredCalls the number of calls that are not compared
   * @param isBlank whether it has no event after its start
   */
  record Read(
      Session session,
      @Nullable Dialect dialect,
      ComparedSession summary,
      List<IndexedStep> steps,
      Map<Integer, Integer> starts,
      PromptBases prompts,
      int ignoredCalls,
      boolean isBlank) {}

  private SessionSteps(
      Session session,
      CompiledRules rules,
      Side side,
      CanonicalJson canonical,
      DiffOptions options,
      @Nullable PublishedPair published) {
    this.session = session;
    this.rules = rules;
    this.side = side;
    this.canonical = canonical;
    this.options = options;
    this.published = published;
    this.prompts = new PromptBases(session);
    this.contents = rules.isExact() ? null : new NormalContents(session, rules, side);
  }

  /**
   * Reads a session.
   *
   * @param isCancelled whether to stop; called before each line
   * @throws CancellationException if it was cancelled
   */
  static Read read(
      Session session,
      CompiledRules rules,
      Side side,
      CanonicalJson canonical,
      DiffOptions options,
      @Nullable PublishedPair published,
      BooleanSupplier isCancelled)
      throws IOException {
    return new SessionSteps(session, rules, side, canonical, options, published).read(isCancelled);
  }

  private boolean isLeft() {
    return side == Side.LEFT;
  }

  /** The canonicalization that both sessions use, or {@code serde} if they use different ones. */
  static CanonicalJson canonicalization(Session left, Session right) throws IOException {
    CanonicalJson one = canonicalization(left);
    return one != null && one == canonicalization(right) ? one : CanonicalJson.SERDE;
  }

  private static @Nullable CanonicalJson canonicalization(Session session) throws IOException {
    LogCanonicalization canonicalization = new LogCanonicalization();
    ReplayLine first = session.firstLine();
    if (first != null) {
      canonicalization.accept(first.event());
    }
    return canonicalization.get();
  }

  private void putHash(EventView view, String name, Content content) {
    JsonValue value = content.value();
    view.putHash(
        name,
        value == null
            ? content.hash()
            : prompts.isLast(value) ? prompts.lastHash(canonical) : hash(value));
  }

  /** The hash by which a value of the line is compared. */
  private ContentHash hash(JsonValue value) {
    ReplayLine line = current;
    try {
      if (line != null) {
        return line.hash(value, canonical);
      }
    } catch (IllegalArgumentException wouldBeRounded) {
      // compared in the form serde
    }
    return CanonicalJson.comparableHash(value, canonical);
  }

  private Read read(BooleanSupplier isCancelled) throws IOException {
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (isCancelled.getAsBoolean()) {
          throw new CancellationException();
        }
        if (events++ == 0) {
          reader.decodeAhead(contents == null ? canonical : null);
        }
        current = line;
        isBlank &= line.event() instanceof SessionStart
            || StepKind.of(line.event().kind()) == null
            || isCircumstances(line);
        totals.add(line.event());
        id = id == null ? line.event().meta().sessionId() : id;
        // a copy may withhold a part of the prompt that a prompt is a change of
        line(published == null || published.isOriginal(isLeft()) ? prompts.expand(line) : line);
      }
      dialect = reader.dialect();
    }
    List<IndexedStep> indexed = new ArrayList<>(steps.size());
    for (int i = 0; i < steps.size(); i++) {
      indexed.add(Objects.requireNonNull(steps.get(i)).build(i));
      steps.set(i, null); // frees memory for what is built
    }
    ComparedSession summary = new Results.ComparedSessionData(
        session.log().toString(),
        id,
        events,
        totals.totalLatencyMillis(),
        published == null ? null : published.policy(isLeft()));
    return new Read(session, dialect, summary, indexed, starts.toMap(), prompts, ignored, isBlank);
  }

  private boolean isCircumstances(ReplayLine line) throws IOException {
    return published == null
        ? StepBuilder.isCircumstances(line.event())
        : published.isCircumstances(isLeft(), line);
  }

  private void line(ReplayLine line) throws IOException {
    ReplayEvent event = published == null ? line.event() : published.shown(isLeft(), line);
    if (event instanceof ToolCall call) {
      int number = callNumber++;
      if (rules.ignoresTool(call.tool(), side)) {
        ignored++;
        calls.call(call.id(), call.meta().agent(), StepBuilder.IGNORED);
        return;
      }
      StepBuilder step = start(StepKind.CALL, call.tool(), line, event);
      step.call(number, ordinal++, requested.answerOf(call));
      JsonValue params = call.params().value();
      step.traits(Traits.of(params));
      step.summarize(params == null ? missing(call.params()) : params);
      calls.call(call.id(), call.meta().agent(), step);
    } else if (event instanceof ModelCall call) {
      String name = call.model() == null ? "model" : call.model();
      StepBuilder step = start(StepKind.TURN, name, line, event);
      step.traits(Traits.of(call.prompt().value()));
      step.summarize(StepBuilder.summary(call.prompt().value()));
      turns.call(call.id(), call.meta().agent(), step);
    } else if (event instanceof ToolResult result) {
      result(calls.result(result.id(), result.meta().agent()), line, event);
    } else if (event instanceof ModelResult result) {
      requested.answer(result, line.position().line());
      StepBuilder turn = turns.result(result.id(), result.meta().agent());
      result(turn, line, event);
      if (turn != null) {
        turn.summarize(StepBuilder.summary(result));
      }
    } else {
      StepKind kind = StepBuilder.kind(event, isCircumstances(line), options.strict());
      if (kind != null) {
        start(kind, StepBuilder.name(event), line, event).summarize(StepBuilder.summary(event));
      }
    }
  }

  /** The summary of a content without a value. */
  private @Nullable Object missing(Content content) {
    boolean isCopy = published != null && !published.isOriginal(isLeft());
    return isCopy ? "withheld" : content.hash();
  }

  private StepBuilder start(StepKind kind, String name, ReplayLine line, ReplayEvent event)
      throws IOException {
    weight += 1 + name.length() / LONG_NAME;
    if (weight > options.limits().maxSteps()) {
      throw new DiffLimitException(
          session.log().toString(), options.limits().maxSteps(), line.position().line());
    }
    StepBuilder step = new StepBuilder(kind, name, line.position());
    step.request(seen(line, event), canonical);
    step.add(line.length());
    starts.add(event, steps.size());
    steps.add(step);
    return step;
  }

  /** Adds a result to its call. A result without a call is a step of the kind {@code OTHER}. */
  private void result(@Nullable StepBuilder step, ReplayLine line, ReplayEvent event)
      throws IOException {
    if (step == StepBuilder.IGNORED) {
      return;
    }
    if (step == null) {
      start(StepKind.OTHER, event.kind().id(), line, event);
      return;
    }
    step.add(line.length());
    step.result(line.position(), seen(line, event), canonical);
  }

  private StepBuilder.Seen seen(ReplayLine line, ReplayEvent event) throws IOException {
    JsonObject view =
        contents == null ? EventView.of(event, this::putHash, false) : contents.view(event);
    if (published == null) {
      return StepBuilder.Seen.of(event, view);
    }
    ReplayEvent common = published.comparable(isLeft(), line);
    JsonObject commonView = contents == null
        ? EventView.of(common, this::putHash, false)
        : rules.normalize(EventView.of(common, SessionSteps::put, false), null);
    return new StepBuilder.Seen(event, view, common, commonView, true);
  }

  private static void put(EventView view, String name, Content content) {
    if (content.value() == null) {
      view.putHash(name, content.hash());
    } else {
      view.put(name, content.value());
    }
  }
}
