package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges and values of a recording before a point, and whether a fork repeats each of them
 * once: with the same content and outcome, and no call before a result that it followed. Digests
 * are kept, not values.
 */
final class ForkPrefix {

  /** An exchange, or a value, which has no result. */
  private static final class Entry {
    final long line;
    final @Nullable String agent;
    final String title;
    final ContentHash call;

    @Nullable
    ContentHash result;

    long resultLine;
    boolean isCallRepeated;

    Entry(long line, ReplayEvent event, ContentHash call) {
      this.line = line;
      this.agent = event.meta().agent();
      this.title = title(event);
      this.call = call;
    }
  }

  private final Map<Long, Entry> entries = new TreeMap<>();
  private final CallPairing<Entry> tools = new CallPairing<>();
  private final CallPairing<Entry> models = new CallPairing<>();
  private final LogCanonicalization canonicalization = new LogCanonicalization();
  private final LogCanonicalization repeated = new LogCanonicalization();

  /** The lines of the calls and results of each lane that were not repeated yet. */
  private final Map<@Nullable String, TreeSet<Long>> missing = new HashMap<>();

  private boolean hasValues;
  private long verified;

  /** Adds an event of the recording. */
  void add(long line, ReplayEvent event) {
    canonicalization.accept(event);
    if (event instanceof ToolCall call) {
      tools.call(call.id(), call.meta().agent(), entry(line, event));
    } else if (event instanceof ModelCall call) {
      models.call(call.id(), call.meta().agent(), entry(line, event));
    } else if (event instanceof ToolResult result) {
      answer(tools.result(result.id(), result.meta().agent()), line, event);
    } else if (event instanceof ModelResult result) {
      answer(models.result(result.id(), result.meta().agent()), line, event);
    } else if (event instanceof RecordedValue) {
      hasValues = true;
      entry(line, event);
    }
  }

  private Entry entry(long line, ReplayEvent event) {
    Entry entry = new Entry(line, event, digest(event, canonicalization));
    entries.put(line, entry);
    missing.computeIfAbsent(entry.agent, lane -> new TreeSet<>()).add(line);
    return entry;
  }

  private void answer(@Nullable Entry entry, long line, ReplayEvent event) {
    if (entry != null) {
      entry.result = digest(event, canonicalization);
      entry.resultLine = line;
      missing.computeIfAbsent(entry.agent, lane -> new TreeSet<>()).add(line);
    }
  }

  /**
   * Accepts an event of the fork.
   *
   * @return the reason why it is not that of the recording; null if it is, or comes after the point
   */
  @Nullable
  String accept(ReplayEvent event) {
    repeated.accept(event);
    boolean isResult = event instanceof ToolResult || event instanceof ModelResult;
    boolean isCall = event instanceof ToolCall || event instanceof ModelCall;
    if (!isResult && !isCall && !(event instanceof RecordedValue && hasValues)) {
      return null;
    }
    Provenance provenance = Provenance.of(event);
    Long line = provenance == null ? null : provenance.line();
    Entry entry = line == null ? null : entries.get(line);
    if (entry == null) {
      // an older recording does not have the version of a change
      boolean isOlder = !isResult && !isCall && provenance != null && line == null;
      return isOlder ? null : notBefore(event);
    }
    return isResult ? result(entry, event) : call(entry, event);
  }

  private @Nullable String notBefore(ReplayEvent event) {
    TreeSet<Long> open = missing.get(event.meta().agent());
    return open == null || open.isEmpty()
        ? null
        : "%s is not before the point of the fork, but line %d is not repeated yet"
            .formatted(title(event), open.first());
  }

  private @Nullable String call(Entry entry, ReplayEvent event) {
    if (entry.isCallRepeated) {
      return "line %d is repeated twice".formatted(entry.line);
    }
    entry.isCallRepeated = true;
    boolean isSame = digest(event, repeated).equals(entry.call);
    String early = early(entry);
    repeat(entry.agent, entry.line, isSame && early == null);
    return isSame ? early : differs(entry, entry.line, event);
  }

  private @Nullable String result(Entry entry, ReplayEvent event) {
    if (entry.result == null) {
      return null; // the recorded result is after the point
    }
    TreeSet<Long> open = missing.get(entry.agent);
    if (open == null || !open.contains(entry.resultLine)) {
      return "line %d is repeated twice".formatted(entry.resultLine);
    }
    boolean isSame = digest(event, repeated).equals(entry.result);
    repeat(entry.agent, entry.resultLine, isSame);
    return isSame ? null : differs(entry, entry.resultLine, event);
  }

  private void repeat(@Nullable String agent, long line, boolean isSame) {
    TreeSet<Long> open = missing.get(agent);
    if (open != null) {
      open.remove(line);
    }
    verified += isSame ? 1 : 0;
  }

  /** The reason why a call is too early: a result before it is not repeated yet; null if none. */
  private @Nullable String early(Entry entry) {
    TreeSet<Long> open = missing.get(entry.agent);
    if (open == null) {
      return null;
    }
    for (long before : open.headSet(entry.line)) {
      if (!entries.containsKey(before)) {
        return "%s is before the result on line %d, which it followed"
            .formatted(entry.title, before);
      }
    }
    return null;
  }

  private static String differs(Entry entry, long line, ReplayEvent event) {
    return "%s differs from line %d of the parent, %s"
        .formatted(event.kind().id(), line, entry.title);
  }

  /** The events before the point that were not repeated. */
  List<String> notRepeated() {
    List<String> reasons = new ArrayList<>();
    missing
        .values()
        .forEach(lines -> lines.forEach(
            line -> reasons.add("line %d of the parent is not repeated".formatted(line))));
    return reasons;
  }

  /** The number of events that are repeated as they were. */
  long verified() {
    return verified;
  }

  private static String title(ReplayEvent event) {
    String name = event.name();
    return name == null ? event.kind().id() : "%s %s".formatted(event.kind().id(), name);
  }

  /** The digest of what an event says, without ids, times and its source. */
  private static ContentHash digest(ReplayEvent event, LogCanonicalization canonicalization) {
    JsonObject.Builder json = JsonObject.builder().put("kind", event.kind().id());
    put(json, "name", event.name());
    put(json, "content", content(event.content(), canonicalization));
    if (event instanceof ToolResult result) {
      put(json, "ok", result.outcome().ok());
      put(json, Names.EXIT_CODE, result.outcome().exitCode());
      put(json, result.outcome().error());
    } else if (event instanceof ModelResult result) {
      put(json, Names.FINISH_REASON, result.finish().reason());
      put(json, result.finish().error());
    } else if (event instanceof ModelCall call) {
      json.add("parameters", call.parameters().json());
    } else if (event instanceof RecordedValue value) {
      json.put("source", value.source()).add("value", value.value());
    }
    return CanonicalJson.comparableHash(json.build(), CanonicalJson.SERDE);
  }

  private static void put(JsonObject.Builder json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  private static void put(JsonObject.Builder json, @Nullable Failure error) {
    if (error != null) {
      put(json, "error", error.name());
      put(json, "message", error.message());
    }
  }

  private static @Nullable String content(Content content, LogCanonicalization canonicalization) {
    if (content.hash() != null) {
      return content.hash().toString();
    } else if (content.value() == null) {
      return content.blob() == null ? null : content.blob().blob().toString();
    }
    CanonicalJson canonical = canonicalization.get();
    return CanonicalJson.comparableHash(
            content.value(), canonical == null ? CanonicalJson.SERDE : canonical)
        .toString();
  }
}
