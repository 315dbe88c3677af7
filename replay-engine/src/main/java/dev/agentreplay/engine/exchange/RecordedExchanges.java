package dev.agentreplay.engine.exchange;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.engine.diff.EventComparison;
import dev.agentreplay.engine.lines.EventLoader;
import dev.agentreplay.engine.lines.PromptBases;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of a recording, in lanes. The log is read once; about 650 bytes are kept for each
 * exchange, and events are read again when they are needed. Safe for use by several threads.
 */
public final class RecordedExchanges implements Closeable {

  private final Session session;
  private final EventComparison comparison;
  private final CanonicalJson canonical;
  private final Map<@Nullable String, LaneExchanges> lanes = new LinkedHashMap<>();
  private final PromptBases prompts;
  private final CallPairing<RecordedExchange> tools = new CallPairing<>();
  private final CallPairing<RecordedExchange> models = new CallPairing<>();
  private final ReentrantLock lock = new ReentrantLock();
  private long exchanges;
  private long values;
  private @Nullable Dialect dialect;

  /** Guarded by the lock. */
  private @Nullable EventLoader loader;

  private RecordedExchanges(Session session, EventComparison comparison, CanonicalJson canonical) {
    this.session = session;
    this.comparison = comparison;
    this.canonical = canonical;
    this.prompts = new PromptBases(session);
  }

  /**
   * Reads the exchanges of a session.
   *
   * @param rules creates the comparison by whose rules requests are matched, for the
   *     canonicalization of the log
   * @param observer receives all events of the log, with the prompts of model calls in full
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line cannot be read
   */
  public static RecordedExchanges read(
      Session session,
      Function<CanonicalJson, EventComparison> rules,
      Consumer<ReplayLine> observer)
      throws IOException {
    CanonicalJson canonical = canonicalization(session);
    RecordedExchanges read = new RecordedExchanges(session, rules.apply(canonical), canonical);
    try (ReplayReader reader = session.reader()) {
      reader.decodeAhead(null);
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        ReplayLine full = read.prompts.expand(line);
        read.add(full);
        observer.accept(full);
      }
      read.dialect = reader.dialect();
      read.lanes.values().forEach(LaneExchanges::end);
    }
    return read;
  }

  private static CanonicalJson canonicalization(Session session) throws IOException {
    LogCanonicalization canonicalization = new LogCanonicalization();
    try (ReplayReader reader = session.reader()) {
      ReplayLine first = reader.read();
      if (first != null) {
        canonicalization.accept(first.event());
      }
    }
    CanonicalJson named = canonicalization.get();
    return named == null ? CanonicalJson.SERDE : named;
  }

  private void add(ReplayLine line) {
    ReplayEvent event = line.event();
    String agent = event.meta().agent();
    if (event instanceof ToolCall call) {
      tools.call(call.id(), agent, open(call, line));
    } else if (event instanceof ModelCall call) {
      models.call(call.id(), agent, open(call, line));
    } else if (event instanceof ToolResult result) {
      answer(tools.result(result.id(), agent), line);
    } else if (event instanceof ModelResult result) {
      answer(models.result(result.id(), agent), line);
    } else if (event instanceof RecordedValue value) {
      values++;
      lane(agent).add(value, line.position());
    }
  }

  private RecordedExchange open(ReplayEvent call, ReplayLine line) {
    exchanges++;
    LaneExchanges lane = lane(call.meta().agent());
    ReplayEvent request = RequestKeys.request(call);
    return lane.add(
        RequestKeys.exact(request, canonical),
        comparison.isExact() ? null : RequestKeys.normal(request, comparison),
        line,
        call instanceof ModelCall model ? (ModelCall) full(model) : null);
  }

  private static void answer(@Nullable RecordedExchange exchange, ReplayLine line) {
    if (exchange != null) {
      exchange.result = line.position();
      exchange.latencyMillis = line.event().latencyMillis();
    }
  }

  private LaneExchanges lane(@Nullable String agent) {
    return lanes.computeIfAbsent(agent, LaneExchanges::new);
  }

  /** The exchanges of a lane; null if the recording has none. */
  @Nullable
  LaneExchanges find(@Nullable String agent) {
    return lanes.get(agent);
  }

  Collection<LaneExchanges> lanes() {
    return Collections.unmodifiableCollection(lanes.values());
  }

  /** The session. */
  public Session session() {
    return session;
  }

  /** The dialect of the log; null if it is empty. */
  public @Nullable Dialect dialect() {
    return dialect;
  }

  /** The canonicalization of the log. */
  public CanonicalJson canonicalization() {
    return canonical;
  }

  /** The hash of what is compared in a request, as the rules of the comparison leave it. */
  public ContentHash requestHash(ReplayEvent call) {
    return comparison.fingerprint(RequestKeys.request(call));
  }

  /** The comparison by whose rules requests are matched. */
  public EventComparison comparison() {
    return comparison;
  }

  /** The number of exchanges with models and tools. */
  public long size() {
    return exchanges;
  }

  /** The number of recorded values. */
  public long values() {
    return values;
  }

  /** The exchanges with models and tools, lane by lane. */
  public List<RecordedExchange> all() {
    List<RecordedExchange> all = new ArrayList<>();
    lanes.values().forEach(lane -> all.addAll(lane.exchanges()));
    return all;
  }

  /**
   * Reads the call of an exchange again, with its prompt or parameters in full, also if they are in
   * a blob. A call whose blob is damaged is compared by its hash, like one whose blob is missing.
   *
   * @throws IOException if the log cannot be read, or was changed
   */
  public ReplayEvent call(RecordedExchange exchange) throws IOException {
    return full(load(exchange.call));
  }

  private ReplayEvent full(ReplayEvent call) {
    JsonValue value = call.content().blob() == null ? null : blob(call.content());
    if (value == null) {
      return call;
    }
    return call instanceof ToolCall tool
        ? tool.withParams(Content.of(value))
        : ((ModelCall) call).withPrompt(Content.of(value));
  }

  private @Nullable JsonValue blob(Content content) {
    try {
      return resolve(content);
    } catch (IOException damaged) {
      return null;
    }
  }

  /**
   * Reads the result of an exchange again.
   *
   * @return the result; null if the recording has none
   * @throws IOException if the log cannot be read, or was changed
   */
  public @Nullable ReplayEvent result(RecordedExchange exchange) throws IOException {
    return exchange.result == null ? null : load(exchange.result);
  }

  /**
   * Returns the value of a content, from the log or a blob; null if the recording has only its
   * hash.
   *
   * @throws IOException if the blob cannot be read, or is not the recorded value
   */
  public @Nullable JsonValue resolve(Content content) throws IOException {
    return session.resolve(content);
  }

  /** Reads an event again. */
  ReplayEvent load(Position position) throws IOException {
    lock.lock();
    try {
      if (loader == null) {
        loader = new EventLoader(session, dialect, prompts);
      }
      return loader.load(position).event();
    } finally {
      lock.unlock();
    }
  }

  /** The hash by which a value is compared. */
  ContentHash hash(JsonValue value) {
    return CanonicalJson.comparableHash(value, canonical);
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (loader != null) {
        loader.close();
        loader = null;
      }
    } finally {
      lock.unlock();
    }
  }
}
