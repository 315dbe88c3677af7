package dev.agentreplay.verify.input;

import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges and values of a recording before a point, and whether a fork repeats each of them
 * once, before anything else: with the same content and outcome, in its lane, results after their
 * own calls, no call before a result that it followed, and values in their order. Agents whose work
 * is a part of a result before the point need not run again. Digests are kept, not values.
 */
public final class ForkPrefix {

  /** An exchange, or a value, which has no result. */
  private static final class Entry {
    final long line;
    final @Nullable String agent;
    final String title;
    final @Nullable String source;
    final ContentHash call;

    @Nullable
    ContentHash result;

    long resultLine;
    boolean isCallRepeated;

    Entry(long line, ReplayEvent event, ContentHash call) {
      this.line = line;
      this.agent = event.meta().agent();
      this.title = title(event);
      this.source = event instanceof RecordedValue value ? value.source() : null;
      this.call = call;
    }
  }

  /** A call of the fork, and the one that it repeats; null if it repeats none. */
  private record Repeated(@Nullable Entry entry) {}

  /** One of the two logs, while it is read. */
  private static final class Log<C> {
    final CallPairing<C> tools = new CallPairing<>();
    final CallPairing<C> models = new CallPairing<>();
    final LogCanonicalization canonicalization = new LogCanonicalization();

    /** The line of the last recorded call with each id, by which events state their starter. */
    final Map<String, Long> starters = new HashMap<>();

    ContentHash digest(ReplayEvent event) {
      String parent = event.meta().parent();
      return EventDigest.of(event, parent == null ? null : starters.get(parent), canonicalization);
    }

    void call(ReplayEvent call, C made, @Nullable Long line) {
      String id = String.valueOf(call.callId());
      (call instanceof ToolCall ? tools : models).call(id, call.meta().agent(), made);
      if (line != null) {
        starters.put(id, line);
      }
    }

    @Nullable
    C answered(ReplayEvent result) {
      String id = String.valueOf(result.callId());
      return (result instanceof ToolResult ? tools : models)
          .result(id, result.meta().agent());
    }
  }

  private final Log<Entry> recorded = new Log<>();
  private final Log<Repeated> fork = new Log<>();
  private final Map<Long, Entry> entries = new TreeMap<>();

  /** The line of the call that started each agent. */
  private final Map<String, Long> startedBy = new HashMap<>();

  /**
   * The agents that ended before the point: they run again only if the fork executes the calls that
   * started them, and then completely.
   */
  private final Set<String> ended = new HashSet<>();

  private final Set<String> begun = new HashSet<>();

  /** The lines of the events that were not repeated yet, by lane. */
  private final Map<@Nullable String, TreeSet<Long>> missing = new HashMap<>();

  private long open;
  private long verified;

  /** Adds an event of the recording. */
  public void add(long line, ReplayEvent event) {
    recorded.canonicalization.accept(event);
    String agent = event.meta().agent();
    Long starter = event.meta().parent() == null
        ? null
        : recorded.starters.get(event.meta().parent());
    if (agent != null && starter != null) {
      startedBy.putIfAbsent(agent, starter);
    }
    if (isCall(event)) {
      recorded.call(event, entry(line, event), line);
    } else if (isResult(event)) {
      Entry answered = recorded.answered(event);
      if (answered != null) {
        answered.result = recorded.digest(event);
        answered.resultLine = line;
        expect(answered.agent, line);
      }
    } else if (event instanceof RecordedValue) {
      entry(line, event);
    }
  }

  private Entry entry(long line, ReplayEvent event) {
    Entry entry = new Entry(line, event, recorded.digest(event));
    entries.put(line, entry);
    expect(entry.agent, line);
    return entry;
  }

  private void expect(@Nullable String agent, long line) {
    missing.computeIfAbsent(agent, lane -> new TreeSet<>()).add(line);
    open++;
  }

  /** Ends adding events. */
  public void end() {
    for (String agent : startedBy.keySet()) {
      String outer = agent;
      for (int depth = 0; depth < startedBy.size() && outer != null; depth++) {
        Long line = startedBy.get(outer);
        Entry starter = line == null ? null : entries.get(line);
        if (starter != null && starter.result != null) {
          ended.add(agent);
        }
        outer = starter == null ? null : starter.agent;
      }
    }
    for (String agent : ended) {
      open -= missing.getOrDefault(agent, new TreeSet<>()).size();
    }
  }

  private static boolean isCall(ReplayEvent event) {
    return event instanceof ToolCall || event instanceof ModelCall;
  }

  private static boolean isResult(ReplayEvent event) {
    return event instanceof ToolResult || event instanceof ModelResult;
  }

  /**
   * Accepts an event of the fork.
   *
   * @return the reason why it is not that of the recording; null if it is, or comes after the point
   */
  @Nullable
  public String accept(ReplayEvent event) {
    fork.canonicalization.accept(event);
    boolean isValue = event instanceof RecordedValue;
    if (!isCall(event) && !isResult(event) && !isValue) {
      return null;
    }
    Provenance provenance = Provenance.of(event);
    Long line = provenance == null ? null : provenance.line();
    Entry stated = line == null ? null : entries.get(line);
    if (isResult(event)) {
      Repeated answered = fork.answered(event);
      return result(answered == null ? null : answered.entry, stated, event);
    }
    if (isCall(event)) {
      fork.call(event, new Repeated(stated), line);
    }
    if (stated != null) {
      return call(stated, event);
    }
    // an older recording does not have the version of a change
    boolean isOlder = event instanceof RecordedValue value
        && value.source().startsWith(RecordedValue.VERSION_PREFIX)
        && provenance != null
        && line == null;
    return isOlder ? null : notBefore(event);
  }

  private @Nullable String notBefore(ReplayEvent event) {
    if (open == 0) {
      return null;
    }
    long first = missing.entrySet().stream()
        .filter(lane -> !isEnded(lane.getKey()) && !lane.getValue().isEmpty())
        .mapToLong(lane -> lane.getValue().first())
        .min()
        .orElseThrow();
    return "%s is not before the point of the fork, but line %d is not repeated yet"
        .formatted(title(event), first);
  }

  private @Nullable String call(Entry entry, ReplayEvent event) {
    if (entry.isCallRepeated) {
      return "line %d is repeated twice".formatted(entry.line);
    }
    entry.isCallRepeated = true;
    boolean isSame = fork.digest(event).equals(entry.call);
    String early = early(entry);
    repeat(entry.agent, entry.line, isSame && early == null);
    return isSame ? early : differs(entry, entry.line, event);
  }

  private @Nullable String result(
      @Nullable Entry answered, @Nullable Entry stated, ReplayEvent event) {
    if (stated == null) {
      return answered == null
          ? notBefore(event)
          : "%s answers line %d of the parent, but does not state that it repeats its result"
              .formatted(event.kind().id(), answered.line);
    } else if (answered == null || answered.line != stated.line) {
      return "%s repeats the result of line %d of the parent, but answers a different call"
          .formatted(event.kind().id(), stated.line);
    } else if (answered.result == null) {
      return null; // the recorded result is after the point
    }
    TreeSet<Long> lines = missing.get(answered.agent);
    if (lines == null || !lines.contains(answered.resultLine)) {
      return "line %d is repeated twice".formatted(answered.resultLine);
    }
    boolean isSame = fork.digest(event).equals(answered.result);
    repeat(answered.agent, answered.resultLine, isSame);
    return isSame ? null : differs(answered, answered.resultLine, event);
  }

  private void repeat(@Nullable String agent, long line, boolean isSame) {
    TreeSet<Long> lines = missing.get(agent);
    if (lines != null && lines.remove(line) && !isEnded(agent)) {
      open--;
    }
    if (agent != null) {
      begun.add(agent);
    }
    verified += isSame ? 1 : 0;
  }

  /**
   * The reason why a call or value is too early: a result before a call, or an earlier value of the
   * source, is not repeated yet; null if there is none.
   */
  private @Nullable String early(Entry entry) {
    TreeSet<Long> lines = missing.get(entry.agent);
    if (lines == null) {
      return null;
    }
    for (long before : lines.headSet(entry.line)) {
      Entry other = entries.get(before);
      boolean isResult = other == null && entry.source == null;
      boolean isEarlierValue =
          other != null && entry.source != null && entry.source.equals(other.source);
      if (isResult || isEarlierValue) {
        return "%s is before the %s on line %d, which it followed"
            .formatted(entry.title, isResult ? "result" : "value", before);
      }
    }
    return null;
  }

  private static String differs(Entry entry, long line, ReplayEvent event) {
    return "%s differs from line %d of the parent, %s"
        .formatted(event.kind().id(), line, entry.title);
  }

  /** Passes the lines of the events before the point that were not repeated. */
  public void notRepeated(LongConsumer line) {
    missing.forEach((agent, lines) -> {
      if (!isEnded(agent) || begun.contains(agent)) {
        lines.forEach(line::accept);
      }
    });
  }

  private boolean isEnded(@Nullable String agent) {
    return agent != null && ended.contains(agent);
  }

  /** The number of events that are repeated as they were. */
  public long verified() {
    return verified;
  }

  private static String title(ReplayEvent event) {
    String name = event instanceof RecordedValue value ? value.source() : event.name();
    return name == null ? event.kind().id() : "%s %s".formatted(event.kind().id(), name);
  }
}
