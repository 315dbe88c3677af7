package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.engine.lines.PromptBases;
import dev.agentreplay.engine.lines.RequestedTools;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
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
      DiffOptions options) {
    this.session = session;
    this.rules = rules;
    this.side = side;
    this.canonical = canonical;
    this.options = options;
    this.prompts = new PromptBases(session);
    this.contents = rules.isExact() ? null : new NormalContents(session, rules, side);
  }

  static Read read(
      Session session, CompiledRules rules, Side side, CanonicalJson canonical, DiffOptions options)
      throws IOException {
    return new SessionSteps(session, rules, side, canonical, options).read();
  }

  /** The canonicalization that both sessions use, or {@code serde} if they use different ones. */
  static CanonicalJson canonicalization(Session left, Session right) throws IOException {
    CanonicalJson one = canonicalization(left);
    return one != null && one == canonicalization(right) ? one : CanonicalJson.SERDE;
  }

  private static @Nullable CanonicalJson canonicalization(Session session) throws IOException {
    LogCanonicalization canonicalization = new LogCanonicalization();
    try (ReplayReader reader = session.reader()) {
      ReplayLine first = reader.read();
      if (first != null) {
        canonicalization.accept(first.event());
      }
    }
    return canonicalization.get();
  }

  private void putHash(EventView view, String name, Content content) {
    JsonValue value = content.value();
    view.putHash(
        name,
        value == null
            ? content.hash()
            : prompts.isLast(value)
                ? prompts.lastHash(canonical)
                : CanonicalJson.comparableHash(value, canonical));
  }

  private Read read() throws IOException {
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        events++;
        isBlank &= line.event() instanceof SessionStart
            || StepKind.of(line.event().kind()) == null
            || StepBuilder.isCircumstances(line.event());
        totals.add(line.event());
        id = id == null ? line.event().meta().sessionId() : id;
        line(prompts.expand(line));
      }
      dialect = reader.dialect();
    }
    List<IndexedStep> indexed = new ArrayList<>(steps.size());
    for (int i = 0; i < steps.size(); i++) {
      indexed.add(Objects.requireNonNull(steps.get(i)).build(i));
      steps.set(i, null); // frees memory for what is built
    }
    ComparedSession summary = new Results.ComparedSessionData(
        session.log().toString(), id, events, totals.totalLatencyMillis());
    return new Read(session, dialect, summary, indexed, starts.toMap(), prompts, ignored, isBlank);
  }

  private void line(ReplayLine line) throws IOException {
    ReplayEvent event = line.event();
    if (event instanceof ToolCall call) {
      int number = callNumber++;
      if (rules.ignoresTool(call.tool(), side)) {
        ignored++;
        calls.call(call.id(), call.meta().agent(), StepBuilder.IGNORED);
        return;
      }
      StepBuilder step = start(StepKind.CALL, call.tool(), line);
      step.call(number, ordinal++, requested.answerOf(call));
      JsonValue params = call.params().value();
      step.traits(Traits.of(params));
      step.summarize(params == null ? call.params().hash() : params);
      calls.call(call.id(), call.meta().agent(), step);
    } else if (event instanceof ModelCall call) {
      StepBuilder step = start(StepKind.TURN, call.model() == null ? "model" : call.model(), line);
      step.traits(Traits.of(call.prompt().value()));
      step.summarize(StepBuilder.summary(call.prompt().value()));
      turns.call(call.id(), call.meta().agent(), step);
    } else if (event instanceof ToolResult result) {
      result(calls.result(result.id(), result.meta().agent()), line);
    } else if (event instanceof ModelResult result) {
      requested.answer(result, line.position().line());
      result(turns.result(result.id(), result.meta().agent()), line);
    } else {
      StepKind kind = StepBuilder.kind(event, options.strict());
      if (kind != null) {
        start(kind, StepBuilder.name(event), line).summarize(StepBuilder.summary(event));
      }
    }
  }

  private StepBuilder start(StepKind kind, String name, ReplayLine line) throws IOException {
    weight += 1 + name.length() / LONG_NAME;
    if (weight > options.limits().maxSteps()) {
      throw new DiffLimitException(
          session.log().toString(), options.limits().maxSteps(), line.position().line());
    }
    StepBuilder step = new StepBuilder(kind, name, line.position());
    step.request(line.event(), normalized(line), canonical);
    step.add(line.length());
    starts.add(line.event(), steps.size());
    steps.add(step);
    return step;
  }

  /** Adds a result to its call. A result without a call is a step of the kind {@code OTHER}. */
  private void result(@Nullable StepBuilder step, ReplayLine line) throws IOException {
    if (step == StepBuilder.IGNORED) {
      return;
    }
    if (step == null) {
      start(StepKind.OTHER, line.event().kind().id(), line);
      return;
    }
    step.add(line.length());
    step.result(line.position(), line.event(), normalized(line), canonical);
  }

  private JsonObject normalized(ReplayLine line) throws IOException {
    return contents == null
        ? EventView.of(line.event(), this::putHash, false)
        : contents.view(line.event());
  }
}
