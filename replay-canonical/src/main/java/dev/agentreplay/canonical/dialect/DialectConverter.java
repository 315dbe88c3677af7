package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.canonical.dialect.LineConversion.Moves;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.RunTotals;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts the lines of a log to another dialect, one line at a time.
 *
 * <p>Nothing is lost silently. A member that the specification of the target dialect does not name
 * is kept as an additional member. A member that it requires and the log does not state is filled
 * in if a neutral default exists. The {@link ConversionLedger} lists both. Hashes are kept as
 * stated, even wrong ones. Converting back restores all values except those that the ledgers list.
 *
 * <p>A member that the target dialect would misinterpret, or for which it has no equivalent, is
 * carried over: it is kept in the member {@value KeptAside#CARRIED_OVER}, and converting back takes
 * it from there. A carried-over member that would contradict the event, or that the target dialect
 * would read, is dropped and listed; reading such a line reports it as
 * {@code CARRIED_OVER_CONFLICT}.
 *
 * <p>Not safe for use by several threads.
 */
public final class DialectConverter {

  private static final String UNKNOWN_PRODUCER = "unknown";

  /** The maximum number of lines that wait for the start of the session. */
  private static final int MAX_WAITING = 64;

  /**
   * An event completed with the members that the target dialect requires.
   *
   * @param computed the components that were computed
   */
  private record Completed(ReplayEvent event, Set<String> computed) {
    Completed(ReplayEvent event) {
      this(event, Set.of());
    }
  }

  private final Dialect from;
  private final Dialect to;
  private final Function<Content, @Nullable JsonValue> blobs;
  private final ConversionLedger ledger = new ConversionLedger();
  private final LogCanonicalization canonicalization = new LogCanonicalization();
  private final Deque<SourceLine> waiting = new ArrayDeque<>();

  private @Nullable Timestamp lastTime;
  private boolean begun;
  private final RunTotals totals = new RunTotals();

  private DialectConverter(Dialect from, Dialect to, Function<Content, @Nullable JsonValue> blobs) {
    this.from = Objects.requireNonNull(from, "from");
    this.to = Objects.requireNonNull(to, "to");
    this.blobs = Objects.requireNonNull(blobs, "blobs");
  }

  /** Creates a converter for one log without blobs. */
  public static DialectConverter of(Dialect from, Dialect to) {
    return new DialectConverter(from, to, content -> null);
  }

  /**
   * Creates a converter for one log.
   *
   * @param blobs finds the value of a content that is stored in a blob, where the result requires
   *     the value; returns null if there is none
   */
  public static DialectConverter of(
      Dialect from, Dialect to, Function<Content, @Nullable JsonValue> blobs) {
    return new DialectConverter(from, to, blobs);
  }

  /** The changes to the members of all lines converted so far. */
  public ConversionLedger ledger() {
    return ledger;
  }

  /**
   * Converts the next line. Returns zero, one or several lines: a header waits for the start of the
   * session, since dialects distribute the same members differently between the two, and an event
   * may have to be split. {@link #finish} converts the lines that still wait at the end.
   */
  public List<JsonObject> convert(JsonObject line) {
    List<JsonObject> lines = new ArrayList<>();
    convert(line, lines::add);
    return lines;
  }

  /**
   * Converts like {@link #convert(JsonObject)}, but passes on each line before creating the next.
   */
  public void convert(JsonObject line, Consumer<JsonObject> lines) {
    SourceLine source = new SourceLine(from, to, line, from.codec().decode(line).event());
    boolean isFirst = !begun;
    begun = true;
    if (waiting.isEmpty() && !(isFirst && source.event instanceof ReplayHeader)) {
      convert(source, source.event, Moves.NONE, lines);
      return;
    }
    waiting.add(source);
    if (source.event instanceof SessionStart || waiting.size() == MAX_WAITING) {
      release(lines);
    }
  }

  /** The carried-over members of an event that must not come back. */
  Set<String> conflicts(JsonObject line, ReplayEvent event) {
    SourceLine source = new SourceLine(from, to, line, event);
    Completed completed = complete(source, event);
    LineConversion conversion =
        new LineConversion(source, Moves.NONE, completed.computed, canonicalization);
    Set<String> conflicts = new TreeSet<>();
    for (ReplayEvent one : split(completed.event)) {
      conflicts.addAll(conversion.conflicts(one));
    }
    return conflicts;
  }

  /** Ends the conversion and returns the lines that still waited; none if it is called again. */
  public List<JsonObject> finish() {
    List<JsonObject> lines = new ArrayList<>();
    finish(lines::add);
    return lines;
  }

  /**
   * Ends the conversion like {@link #finish()}, but passes on each line before creating the next.
   */
  public void finish(Consumer<JsonObject> lines) {
    release(lines);
  }

  private void release(Consumer<JsonObject> lines) {
    SourceLine first = waiting.pollFirst();
    if (first == null) {
      return;
    }
    SourceLine last = waiting.peekLast();
    if (first.event instanceof ReplayHeader header
        && last != null
        && last.event instanceof SessionStart start) {
      waiting.removeLast();
      Beginning beginning = Beginning.of(header, start, from, to);
      boolean inHeader = to.hasSessionInHeader();
      convert(first, beginning.header(), beginning.moves(first, last, inHeader), lines);
      convertWaiting(lines);
      convert(last, beginning.start(), beginning.moves(last, first, !inHeader), lines);
    } else {
      convert(first, first.event, Moves.NONE, lines);
      convertWaiting(lines);
    }
  }

  private void convertWaiting(Consumer<JsonObject> lines) {
    waiting.forEach(line -> convert(line, line.event, Moves.NONE, lines));
    waiting.clear();
  }

  private void convert(
      SourceLine line, ReplayEvent event, Moves moves, Consumer<JsonObject> lines) {
    if (event instanceof LogSegment || event instanceof Checkpoint) {
      String stated = event instanceof LogSegment ? "bytes" : "lines";
      String note = "it states the " + stated + " of the source";
      ledger.add(Action.DROPPED, line.tag, null, null, note);
      return;
    }
    canonicalization.accept(event);
    totals.add(event);
    Completed completed = complete(line, event);
    if (completed.event.time() != null) {
      lastTime = completed.event.time();
    }
    if (event instanceof SessionStart start
        && start.policy() != null
        && start.policy().form() == PolicyId.Form.BUNDLE
        && from.policyForm() == PolicyId.Form.VERSION) {
      ledger.add(
          Action.RESPELLED,
          line.tag,
          Names.POLICY_BUNDLE_ID,
          Names.POLICY_VERSION,
          "on the way back");
    }
    LineConversion conversion =
        new LineConversion(line, moves, completed.computed, canonicalization);
    List<JsonObject> converted = conversion.convert(split(completed.event));
    conversion.entries().forEach(ledger::add);
    converted.forEach(lines);
  }

  /**
   * Completes an event with the members that the target dialect requires and that the log implies
   * or for which a neutral default exists.
   */
  private Completed complete(SourceLine line, ReplayEvent event) {
    boolean lacksTime = event.time() == null && !line.misreads("time");
    ReplayEvent timed = lacksTime && lastTime != null && to.saysTimeOf(event.kind())
        ? event.withMeta(event.meta().withTime(lastTime))
        : event;
    if (timed instanceof ReplayHeader header) {
      return new Completed(complete(line, header));
    } else if (timed instanceof SessionStart start
        && start.policy() != null
        && from.policyForm() == PolicyId.Form.BUNDLE
        && to.policyForm() == PolicyId.Form.VERSION) {
      return new Completed(start.withPolicy(PolicyId.version(start.policy().id())));
    } else if (timed instanceof ToolCall call) {
      Content params = withValue(call.kind(), call.params());
      return params == null
          ? new Completed(call)
          : new Completed(call.withParams(params), Set.of("params"));
    } else if (timed instanceof ToolResult result) {
      return complete(line, result);
    } else if (timed instanceof SessionEnd end) {
      return complete(line, end);
    }
    return new Completed(timed);
  }

  private ReplayHeader complete(SourceLine line, ReplayHeader header) {
    boolean needsProducer = to.specifies(EventKind.REPLAY_HEADER, "producer")
        && header.producer() == null
        && !line.keeps("producer");
    ReplayHeader versioned = header.withVersion(to.version());
    return needsProducer ? versioned.withProducer(UNKNOWN_PRODUCER) : versioned;
  }

  private Completed complete(SourceLine line, ToolResult result) {
    boolean lacksLatency = to.requires(EventKind.TOOL_RESULT, Names.LATENCY_MS)
        && result.latencyMillis() == null
        && !line.keeps(Names.LATENCY_MS);
    ToolResult timed = lacksLatency ? result.withLatencyMillis(0L) : result;
    Content output = withValue(result.kind(), result.output());
    return output == null
        ? new Completed(timed)
        : new Completed(timed.withOutput(output), Set.of("output"));
  }

  /** The content with the value from its blob, if the target dialect requires it; else null. */
  private @Nullable Content withValue(EventKind kind, Content content) {
    boolean lacksValue =
        to.requiresContent(kind) && content.value() == null && content.blob() != null;
    JsonValue value = lacksValue ? blobs.apply(content) : null;
    return value == null ? null : new Content(value, content.hash(), null, null);
  }

  private Completed complete(SourceLine line, SessionEnd end) {
    if (to.requires(EventKind.SESSION_END, Names.TOTAL_TOOL_CALLS)) {
      return withTotals(line, end);
    }
    // the target names no such status: it states a failure, and the exact status next to it
    Row<?, ?> exact = line.target().row(Names.EXACT_STATUS);
    return exact != null && exact.component(end) != null
        ? new Completed(end, Set.of(exact.component()))
        : new Completed(end);
  }

  private Completed withTotals(SourceLine line, SessionEnd end) {
    Long calls = end.totalToolCalls();
    Long latency = end.totalLatencyMillis();
    Set<String> computed = new HashSet<>();
    if (calls == null && !line.keeps(Names.TOTAL_TOOL_CALLS)) {
      calls = totals.toolCalls();
      computed.add(Names.TOTAL_TOOL_CALLS);
    }
    if (latency == null && !line.keeps(Names.TOTAL_LATENCY_MS)) {
      latency = totals.totalLatencyMillis();
      computed.add(Names.TOTAL_LATENCY_MS);
    }
    String error = end.errorMessage();
    return new Completed(
        new SessionEnd(
            end.status(), end.confidence(), calls, latency, end.summary(), error, end.meta()),
        computed);
  }

  /** Splits a verification into one event for each command if the target dialect requires it. */
  private List<ReplayEvent> split(ReplayEvent event) {
    if (!(event instanceof Verification verification)) {
      return List.of(event);
    }
    List<CommandRun> runs = verification.commands();
    if (!to.hasSingleCommand()) {
      boolean hasCodes = runs.stream().allMatch(run -> run.exitCode() != null);
      return List.of(hasCodes ? verification : verification.withCommands(List.of()));
    }
    if (runs.size() < 2) {
      return List.of(verification);
    }
    List<ReplayEvent> events = new ArrayList<>();
    for (CommandRun run : runs.subList(0, runs.size() - 1)) {
      events.add(Verification.of(run).withMeta(verification.meta().withExtra(JsonObject.EMPTY)));
    }
    events.add(verification.withCommands(List.of(runs.get(runs.size() - 1))));
    return events;
  }
}
