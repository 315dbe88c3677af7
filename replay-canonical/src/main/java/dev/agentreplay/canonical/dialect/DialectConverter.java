package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.RunTotals;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts the lines of a log to another dialect, one after the other.
 *
 * <p>Nothing is lost silently: what the other dialect's specification does not name is kept as an
 * additional member, what it demands and the log does not say is made up where there is a neutral
 * value, and the {@link ConversionLedger} lists both. Hashes are kept as they are stated, also
 * wrong ones. Converting back gives the values that the ledgers do not list.
 *
 * <p>What the other dialect would take for something else, or has no place for, is carried over:
 * kept in the member {@value KeptAside#CARRIED_OVER}, from which converting back takes it. A member
 * there that would say what the event says itself, or that the other dialect would read, is dropped
 * and listed: reading the line reports it as {@code CARRIED_OVER_CONFLICT}.
 *
 * <p>Not safe for use by several threads.
 */
public final class DialectConverter {

  private static final String UNKNOWN_PRODUCER = "unknown";

  /** How many lines wait for the start of the session, at most. */
  private static final int MAX_WAITING = 64;

  /** A line that waits, and what it says. */
  private record Waiting(LineConversion line, ReplayEvent event) {}

  private final Dialect from;
  private final Dialect to;
  private final Function<Content, @Nullable JsonValue> blobs;
  private final ConversionLedger ledger = new ConversionLedger();
  private final LogCanonicalization canonicalization = new LogCanonicalization();
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private @Nullable Timestamp lastTime;
  private boolean begun;
  private final RunTotals totals = new RunTotals();

  /** A converter of one log that has no blobs. */
  public DialectConverter(Dialect from, Dialect to) {
    this(from, to, content -> null);
  }

  /**
   * A converter of one log.
   *
   * @param blobs finds the value of a content that is kept in a blob, where the result must have
   *     it; null where there is none
   */
  public DialectConverter(Dialect from, Dialect to, Function<Content, @Nullable JsonValue> blobs) {
    this.from = Objects.requireNonNull(from, "from");
    this.to = Objects.requireNonNull(to, "to");
    this.blobs = Objects.requireNonNull(blobs, "blobs");
  }

  /** What became of what was converted so far. */
  public ConversionLedger ledger() {
    return ledger;
  }

  /**
   * Converts the next line. Returns none or several lines: a header waits for the start of the
   * session, since a dialect may say in one what another says in the other; and an event may have
   * to be written as several. What still waits at the end, {@link #finish} converts.
   */
  public List<JsonObject> convert(JsonObject line) {
    List<JsonObject> lines = new ArrayList<>();
    convert(line, lines::add);
    return lines;
  }

  /** As {@link #convert(JsonObject)}, with each line given away before the next is made. */
  public void convert(JsonObject line, Consumer<JsonObject> lines) {
    ReplayEvent event = from.codec().decode(line).event();
    LineConversion conversion = new LineConversion(from, to, line, event, ledger);
    boolean isFirst = !begun;
    begun = true;
    if (isFirst && event instanceof ReplayHeader) {
      waiting.add(new Waiting(conversion, event));
    } else if (waiting.isEmpty()) {
      convert(conversion, event, lines);
    } else {
      waiting.add(new Waiting(conversion, event));
      if (event instanceof SessionStart || waiting.size() == MAX_WAITING) {
        release(lines);
      }
    }
  }

  /** The members of an event that were carried over and may not come back. */
  Set<String> conflicts(JsonObject line, ReplayEvent event) {
    LineConversion conversion = new LineConversion(from, to, line, event, ledger);
    Set<String> conflicts = new TreeSet<>();
    for (ReplayEvent one : split(conversion, complete(conversion, event))) {
      conflicts.addAll(conversion.conflicts(one, canonicalization));
    }
    return conflicts;
  }

  /** The log is at its end: the lines that still waited. */
  public List<JsonObject> finish() {
    List<JsonObject> lines = new ArrayList<>();
    finish(lines::add);
    return lines;
  }

  /** As {@link #finish()}, with each line given away before the next is made. */
  public void finish(Consumer<JsonObject> lines) {
    if (!waiting.isEmpty()) {
      release(lines);
    }
  }

  /** Converts the header and what waited behind it, of which the last may be the start. */
  private void release(Consumer<JsonObject> lines) {
    Waiting first = waiting.getFirst();
    Waiting last = waiting.getLast();
    if (first.event instanceof ReplayHeader header && last.event instanceof SessionStart start) {
      Beginning beginning = new Beginning(header, start);
      if (to == Dialect.DRAFT) {
        beginning.moveToHeader(first.line, last.line);
      } else if (from == Dialect.DRAFT) {
        beginning.moveToStart(first.line, last.line);
      }
      waiting.removeFirst();
      waiting.addFirst(new Waiting(first.line, beginning.header));
      waiting.removeLast();
      waiting.addLast(new Waiting(last.line, beginning.start));
    }
    while (!waiting.isEmpty()) {
      Waiting next = waiting.removeFirst();
      convert(next.line, next.event, lines);
    }
  }

  /** The header and the start of a session: the draft names session and policy in the first. */
  private static final class Beginning {
    private ReplayHeader header;
    private SessionStart start;

    Beginning(ReplayHeader header, SessionStart start) {
      this.header = header;
      this.start = start;
    }

    void moveToHeader(LineConversion first, LineConversion second) {
      String id = start.meta().sessionId();
      if (id != null && isAbsentOr(id, header.meta().sessionId())) {
        header = header.withMeta(header.meta().withSessionId(id));
        start = start.withMeta(start.meta().withSessionId(null));
        second.moveTo(first, Names.SESSION_ID);
      }
      PolicyId policy = start.policy();
      if (policy != null && isAbsentOr(policy.id(), SharedTables.idOf(header.policy()))) {
        header = header.withPolicy(PolicyId.bundle(policy.id()));
        start = start.withPolicy(null);
        second.moveTo(first, "policy");
      }
    }

    void moveToStart(LineConversion first, LineConversion second) {
      String id = header.meta().sessionId();
      if (id != null && start.meta().sessionId() == null) {
        start = start.withMeta(start.meta().withSessionId(id));
        header = header.withMeta(header.meta().withSessionId(null));
        first.moveTo(second, Names.SESSION_ID);
      }
      PolicyId policy = header.policy();
      if (policy != null && start.policy() == null) {
        start = start.withPolicy(policy);
        header = header.withPolicy(null);
        first.moveTo(second, "policy");
      }
    }

    private static boolean isAbsentOr(String value, @Nullable String stated) {
      return stated == null || stated.equals(value);
    }
  }

  private void convert(LineConversion line, ReplayEvent event, Consumer<JsonObject> lines) {
    if (event instanceof LogSegment) {
      ledger.add(Action.DROPPED, line.tag(), null, null, "it states the bytes of the source");
      return;
    }
    if (event instanceof Checkpoint) {
      ledger.add(Action.DROPPED, line.tag(), null, null, "it states the lines of the source");
      return;
    }
    canonicalization.accept(event);
    totals.add(event);
    ReplayEvent complete = complete(line, event);
    if (event.time() != null) {
      lastTime = event.time();
    }
    for (ReplayEvent one : split(line, complete)) {
      line.write(one, canonicalization);
    }
    line.finish(lines);
  }

  /** What the other dialect demands and the log implies, or where a neutral value exists. */
  private ReplayEvent complete(LineConversion line, ReplayEvent event) {
    boolean lacksTime = event.time() == null && !line.misreads("time");
    ReplayEvent timed = lacksTime && lastTime != null && to.saysTimeOf(event.kind())
        ? event.withMeta(event.meta().withTime(lastTime))
        : event;
    if (timed instanceof ReplayHeader header) {
      return complete(line, header);
    } else if (timed instanceof SessionStart start && start.policy() != null) {
      return complete(line, start, start.policy());
    } else if (timed instanceof ToolResult result) {
      return complete(line, result);
    } else if (timed instanceof SessionEnd end && to == Dialect.EVENT) {
      return withTotals(line, end);
    }
    return timed;
  }

  private ReplayHeader complete(LineConversion line, ReplayHeader header) {
    line.displacesWhat(header);
    boolean needsProducer =
        to != Dialect.DRAFT && header.producer() == null && !line.keeps("producer");
    ReplayHeader versioned = header.withVersion(to.version());
    return needsProducer ? versioned.withProducer(UNKNOWN_PRODUCER) : versioned;
  }

  private SessionStart complete(LineConversion line, SessionStart start, PolicyId policy) {
    if (from == Dialect.EVENT && policy.form() == PolicyId.Form.BUNDLE) {
      ledger.add(
          Action.RESPELLED,
          line.tag(),
          Names.POLICY_BUNDLE_ID,
          Names.POLICY_VERSION,
          "on the way back");
    }
    boolean becomesVersion = to == Dialect.EVENT && from != Dialect.EVENT;
    return becomesVersion ? start.withPolicy(PolicyId.version(policy.id())) : start;
  }

  private ToolResult complete(LineConversion line, ToolResult result) {
    Content output = result.output();
    if (to == Dialect.DRAFT) {
      JsonValue value =
          output.value() == null && output.blob() != null ? blobs.apply(output) : null;
      if (value == null) {
        return result;
      }
      line.computes("output");
      return result.withOutput(new Content(value, output.hash(), null, null));
    }
    return result.latencyMillis() == null && !line.keeps(Names.LATENCY_MS)
        ? result.withLatencyMillis(0L)
        : result;
  }

  private SessionEnd withTotals(LineConversion line, SessionEnd end) {
    boolean countsCalls = end.totalToolCalls() == null && !line.keeps(Names.TOTAL_TOOL_CALLS);
    boolean addsLatencies = end.totalLatencyMillis() == null && !line.keeps(Names.TOTAL_LATENCY_MS);
    if (countsCalls) {
      line.computes(Names.TOTAL_TOOL_CALLS);
    }
    if (addsLatencies) {
      line.computes(Names.TOTAL_LATENCY_MS);
    }
    return new SessionEnd(
        end.status(),
        end.confidence(),
        countsCalls ? Long.valueOf(totals.toolCalls()) : end.totalToolCalls(),
        addsLatencies ? Long.valueOf(totals.totalLatencyMillis()) : end.totalLatencyMillis(),
        end.summary(),
        end.errorMessage(),
        end.meta());
  }

  /** One event for each command where the dialect has one an event; else commands as arrays. */
  private List<ReplayEvent> split(LineConversion line, ReplayEvent event) {
    if (!(event instanceof Verification verification)) {
      return List.of(event);
    }
    List<CommandRun> runs = verification.commands();
    if (to != Dialect.TYPE) {
      if (runs.stream().allMatch(run -> run.exitCode() != null)) {
        return List.of(verification);
      }
      line.displacesWhat(verification);
      return List.of(verification.withCommands(List.of()));
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
