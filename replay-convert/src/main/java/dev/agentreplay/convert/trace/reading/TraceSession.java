package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.report.TraceLedger;
import dev.agentreplay.io.recording.SessionWriter;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session that is written from the records of a source. Its first event, the start, is held back
 * until the task is known or {@value #HELD_BACK} events wait. Each event states the place and the
 * hash of its record in the member {@code imported}, and the first one of a record also what is
 * kept of it. Not safe for use by several threads.
 */
public final class TraceSession {

  private static final int HELD_BACK = 64;

  /** The maximum size of the values of the events that are held back. */
  private static final long MAX_HELD_BACK = 4L << 20;

  private static final int MAX_TASK_LENGTH = 2_000;
  private static final int MAX_FAULTS = 1_000;
  private static final String REST = "rest";
  private static final String MORE = "more";

  /** An event that waits for the start, with its record. */
  private record Waiting(ReplayEvent event, @Nullable SourceRecord record) {}

  /** A call, with the time that it states. */
  private record Called(@Nullable Timestamp time) {}

  private final SessionWriter writer;
  private final String format;
  private final LedgerBuilder ledger = new LedgerBuilder();
  private final EventCounts counts = new EventCounts();
  private final CallPairing<Called> pairing = new CallPairing<>();
  private final Map<String, Conversation> conversations = new HashMap<>();
  private final List<SourceFault> faults = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();

  private final MessageMemory messages = new MessageMemory(this::fault);
  private long faultCount;
  private long waitingSize;
  private long toolCalls;
  private long kept;
  private SessionStart start;
  private boolean isStarted;

  /**
   * Creates a session.
   *
   * @param format the name of the format, which begins the types of the records that are kept
   */
  public TraceSession(SessionWriter writer, String id, String format) {
    this.writer = writer;
    this.format = format;
    SessionStart first = SessionStart.of(id);
    this.start = first.withMeta(first.meta().withTime(writer.lastTime()));
  }

  /** The account of the members of the records of this session. */
  public LedgerBuilder ledger() {
    return ledger;
  }

  /** Creates a record of this session. */
  public SourceRecord record(JsonObject json, String type, SourcePlace place, ContentHash hash) {
    return SourceRecord.of(json, type, place, hash, ledger);
  }

  /** The start of the session, as it will be written. */
  public SessionStart start() {
    return start;
  }

  /**
   * Sets the start of the session, unless it has been written already; that has no effect then.
   *
   * @param newStart the start, from {@link #start()} or with the same id
   */
  public void start(SessionStart newStart) {
    start = isStarted ? start : withId(newStart);
  }

  /** The start with the id of this session, which is that of its directory. */
  private SessionStart withId(SessionStart newStart) {
    String id = start.meta().sessionId();
    if (Objects.equals(newStart.meta().sessionId(), id)) {
      return newStart;
    }
    fault(new SourceFault(
        Kind.CONTRADICTION,
        SourcePlace.DOCUMENT,
        "the start states the id of a different session"));
    return newStart.withMeta(newStart.meta().withSessionId(id));
  }

  /** Whether the start has been written, so that it cannot be changed. */
  public boolean isStarted() {
    return isStarted;
  }

  /**
   * Sets the start with what is kept of a record, such as the document whose steps follow.
   *
   * @param newStart the start, from {@link #start()} or with the same id
   */
  public void start(SessionStart newStart, SourceRecord record) throws IOException {
    if (isStarted) {
      keep(record);
    } else {
      start = (SessionStart) imported(withId(newStart), record);
    }
  }

  /**
   * Sets the task of the session, if it has none yet, and writes what waits for it. Returns whether
   * it was set.
   */
  public boolean task(String text) throws IOException {
    if (isStarted || start.task().text() != null) {
      return false;
    }
    boolean isLong = text.codePointCount(0, text.length()) > MAX_TASK_LENGTH;
    String task =
        isLong ? text.substring(0, text.offsetByCodePoints(0, MAX_TASK_LENGTH)) + "..." : text;
    start = start.withTask(SessionStart.Task.of(task));
    begin();
    return true;
  }

  /**
   * Sets the task as {@link #task(String)} does, to a text at a path of a record, whose account
   * says so if it was set.
   */
  public void task(SourceRecord record, String text, String... path) throws IOException {
    if (task(text)) {
      record.derive("SessionStart/task", path);
    }
  }

  private void begin() throws IOException {
    if (isStarted) {
      return;
    }
    isStarted = true;
    if (start.policy() == null) {
      ledger
          .type("session")
          .add(TraceLedger.Action.GENERATED, "SessionStart/policy_version", "the default");
    }
    write(start, null);
    for (Waiting event : waiting) {
      write(event.event(), event.record());
    }
    waiting.clear();
  }

  /**
   * Writes an event, which counts as made from a record. A result whose call the session does not
   * have is kept as a record instead.
   *
   * @param record the record; null if the event comes from none, or from one whose event was
   *     written
   */
  public void emit(ReplayEvent event, @Nullable SourceRecord record) throws IOException {
    ReplayEvent complete = paired(event, record);
    if (complete == null) {
      keepOrphan((ToolResult) event, record);
      return;
    }
    add(record == null ? complete : imported(complete, record), record);
  }

  /** Pairs calls and results. Returns null for a result whose call the session does not have. */
  private @Nullable ReplayEvent paired(ReplayEvent event, @Nullable SourceRecord record) {
    if (event instanceof ToolResult result) {
      Called call = pairing.result(result.id(), result.meta().agent());
      if (call == null) {
        counts.addOrphan();
        return null;
      }
      return withLatency(result, call, record);
    } else if (event instanceof ToolCall call) {
      toolCalls++;
      pairing.call(call.id(), call.meta().agent(), new Called(call.meta().time()));
    } else if (event instanceof SessionEnd end) {
      return withoutTotals(end, record);
    }
    return event;
  }

  /**
   * An end without totals, which the writer computes. A number of calls that differs is reported.
   */
  private SessionEnd withoutTotals(SessionEnd end, @Nullable SourceRecord record) {
    Long stated = end.totalToolCalls();
    if (stated != null && stated != toolCalls) {
      fault(new SourceFault(
          Kind.CONTRADICTION,
          record == null ? SourcePlace.DOCUMENT : record.place(),
          "the end states %d tool calls, but there are %d".formatted(stated, toolCalls)));
    }
    return new SessionEnd(
        end.status(), end.confidence(), null, null, end.summary(), end.errorMessage(), end.meta());
  }

  /** A result with the time since its call, which the dialect requires. */
  private static ToolResult withLatency(
      ToolResult result, Called call, @Nullable SourceRecord record) {
    if (result.latencyMillis() != null) {
      return result;
    }
    Timestamp from = call.time();
    Timestamp to = result.meta().time();
    boolean isKnown = from != null && to != null;
    long millis = from != null && to != null
        ? Math.max(0, Duration.between(from.instant(), to.instant()).toMillis())
        : 0;
    if (record != null) {
      record.generate(
          "ToolResult/latency_ms", isKnown ? "the time since the call" : "0: no times are stated");
    }
    return result.withLatencyMillis(millis);
  }

  /**
   * Writes an event that was made from several records. What is kept of the others is in the member
   * {@code more}.
   */
  public void emit(ReplayEvent event, SourceRecord record, List<SourceRecord> more)
      throws IOException {
    List<JsonValue> others = new ArrayList<>();
    for (SourceRecord other : more) {
      JsonObject.Builder origin = origin(other);
      if (!other.isWritten() && !other.rest().isEmpty()) {
        origin.put(REST, other.rest());
      }
      other.written();
      others.add(origin.build());
    }
    ReplayEvent imported = imported(event, record);
    if (!others.isEmpty()) {
      JsonObject extra = imported.meta().extra();
      JsonObject origin = extra.get(Names.IMPORTED) instanceof JsonObject object
          ? object.with(MORE, JsonArray.copyOf(others))
          : JsonObject.EMPTY;
      imported = imported.withMeta(imported.meta().withExtra(extra.with(Names.IMPORTED, origin)));
    }
    add(imported, record);
  }

  /**
   * Writes an event that is derived from a record, of which nothing is kept with it: another event
   * of the record follows.
   */
  public void derive(ReplayEvent event, SourceRecord record) throws IOException {
    ReplayEvent complete = paired(event, record);
    if (complete == null) {
      keepOrphan((ToolResult) event, null);
      return;
    }
    add(complete.withMeta(withOrigin(complete.meta(), record, JsonObject.EMPTY)), record);
  }

  private void keepOrphan(ToolResult result, @Nullable SourceRecord record) throws IOException {
    JsonObject.Builder payload = JsonObject.builder().put("id", result.id());
    if (result.output().value() != null) {
      payload.put("output", result.output().value());
    }
    if (result.outcome().ok() != null) {
      payload.put("ok", result.outcome().ok());
    }
    if (result.outcome().exitCode() != null) {
      payload.put(Names.EXIT_CODE, result.outcome().exitCode());
    }
    if (result.outcome().error() != null) {
      payload.put("error", result.outcome().error().json());
    }
    RuntimeEvent event = runtime("result_without_call", payload.build(), result.meta());
    add(record == null ? event : imported(event, record), record);
  }

  private RuntimeEvent runtime(String type, JsonObject payload, Meta meta) {
    return new RuntimeEvent(++kept, format + "/" + type, Content.of(payload), null, meta);
  }

  /** Writes a message of a user as a record, and counts it as a turn. */
  public void message(SourceRecord record, Meta meta) throws IOException {
    counts.addMessage();
    keep(record, meta);
  }

  /** Keeps what is left of a record in an event of its own, unless it was written or dropped. */
  public void keep(SourceRecord record) throws IOException {
    keep(record, Meta.NONE);
  }

  /** Keeps what is left of a record in an event of its own, unless it was written or dropped. */
  public void keep(SourceRecord record, Meta meta) throws IOException {
    if (record.isWritten()) {
      return;
    }
    RuntimeEvent event = runtime(record.type(), record.rest(), meta);
    record.written();
    add(event.withMeta(withOrigin(meta, record, JsonObject.EMPTY)), record);
  }

  /** Keeps a line that is not a record, and reports its fault. */
  public void broken(SourceLines.Line line) throws IOException {
    SourceFault fault = line.fault();
    if (fault != null) {
      fault(fault);
    }
    if (line.text() == null) {
      return;
    }
    String type = fault == null ? "text" : fault.kind().id();
    SourceRecord record =
        record(JsonObject.of("text", line.text()), type, line.place(), line.hash());
    keep(record);
  }

  /** Reports a fault of the source. */
  public void fault(SourceFault fault) {
    faultCount++;
    if (faults.size() < MAX_FAULTS) {
      faults.add(fault);
    }
  }

  private static ReplayEvent imported(ReplayEvent event, SourceRecord record) {
    JsonObject rest = record.isWritten() ? JsonObject.EMPTY : record.rest();
    record.written();
    return event.withMeta(withOrigin(event.meta(), record, rest));
  }

  private static Meta withOrigin(Meta meta, SourceRecord record, JsonObject rest) {
    JsonObject.Builder origin = origin(record);
    if (!rest.isEmpty()) {
      origin.put(REST, rest);
    }
    return meta.withExtra(meta.extra().with(Names.IMPORTED, origin.build()));
  }

  private static JsonObject.Builder origin(SourceRecord record) {
    return record
        .place()
        .toJson()
        .put("hash", record.hash().toString())
        .put("record", record.type());
  }

  private void add(ReplayEvent event, @Nullable SourceRecord record) throws IOException {
    if (isStarted) {
      write(event, record);
      return;
    }
    waiting.add(new Waiting(event, record));
    JsonValue value = event.content().value();
    waitingSize += value == null ? 0 : PromptDelta.size(value);
    if (waiting.size() > HELD_BACK || waitingSize > MAX_HELD_BACK) {
      begin();
    }
  }

  private void write(ReplayEvent event, @Nullable SourceRecord record) throws IOException {
    try {
      writeCounted(event);
    } catch (IllegalArgumentException refused) {
      if (record == null) {
        throw refused;
      }
      writeApart(event, record, refused);
    }
  }

  private void writeCounted(ReplayEvent event) throws IOException {
    writer.write(event);
    counts.add(event);
  }

  /**
   * Writes an event that was refused, as because its line would be too long: without the rest of
   * its record, which follows in an event of its own; or, if the event itself is refused, its
   * record as text.
   */
  private void writeApart(ReplayEvent event, SourceRecord record, IllegalArgumentException refused)
      throws IOException {
    if (event.meta().extra().get(Names.IMPORTED) instanceof JsonObject origin
        && (origin.has(REST) || origin.has(MORE))) {
      JsonObject extra = event.meta().extra().with(Names.IMPORTED, origin.without(REST, MORE));
      try {
        writeCounted(event.withMeta(event.meta().withExtra(extra)));
        writeCounted(runtime(REST, origin, Meta.NONE.withTime(event.meta().time())));
        return;
      } catch (IllegalArgumentException alsoRefused) {
        // the event itself cannot be written
      }
    }
    fault(new SourceFault(
        Kind.NOT_REPRESENTABLE, record.place(), String.valueOf(refused.getMessage())));
    JsonObject text = JsonObject.of("text", record.json().toString());
    RuntimeEvent asText = runtime(Kind.NOT_REPRESENTABLE.id(), text, Meta.NONE);
    try {
      writeCounted(asText.withMeta(
          withOrigin(Meta.NONE.withTime(event.meta().time()), record, JsonObject.EMPTY)));
    } catch (IllegalArgumentException tooLong) {
      fault(new SourceFault(Kind.RECORD_TOO_LONG, record.place(), "it is not in the result"));
    }
  }

  /**
   * Returns the conversation of a lane.
   *
   * @param lane the id of the sub-agent; null for the main agent
   */
  public Conversation conversation(@Nullable String lane) {
    return conversations.computeIfAbsent(
        lane == null ? "" : lane, any -> new Conversation(messages));
  }

  /** The time of the last event that stated one. */
  public Timestamp lastTime() {
    return writer.lastTime();
  }

  /** Writes what still waits. Nothing is written after this. */
  public void complete() throws IOException {
    begin();
  }

  /** The numbers of what was written. */
  public EventCounts counts() {
    return counts;
  }

  /** The faults that were reported, at most {@value #MAX_FAULTS}. */
  public List<SourceFault> faults() {
    return faults;
  }

  /** The number of faults. */
  public long faultCount() {
    return faultCount;
  }
}
