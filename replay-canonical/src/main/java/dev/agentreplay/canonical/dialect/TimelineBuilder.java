package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.CallPairing;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.TestCounts;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the form of a bundle that has a timeline of the lines of a draft. */
final class TimelineBuilder {

  private static final String BUNDLE = "ReplayBundle";
  private static final String BEFORE_START = "before the start: taken for the start";

  /** The types of entries that mean something, which an unknown event cannot have. */
  private static final Set<String> ENTRIES =
      Set.of(TimelineReader.TOOL_CALL, TimelineReader.TOOL_RESULT, TimelineReader.ASSISTANT);

  /** A call that waits for its result. */
  private static final class OpenCall {
    private final String tool;

    OpenCall(String tool) {
      this.tool = tool;
    }
  }

  private final ConversionLedger ledger;
  private final CallPairing<OpenCall> pairing = new CallPairing<>();
  private final Map<String, Deque<OpenCall>> byTool = new HashMap<>();
  private final List<JsonValue> timeline = new ArrayList<>();
  private final Set<String> files = new HashSet<>();
  private JsonObject kept = JsonObject.EMPTY;
  private @Nullable String id;
  private @Nullable String createdAt;
  private @Nullable Timestamp start;
  private @Nullable Timestamp last;
  private JsonNumber lastT = JsonNumber.of(0L);
  private @Nullable String model;
  private @Nullable String ciStatus;
  private @Nullable TestCounts tests;
  private long tokensIn;
  private long tokensOut;

  TimelineBuilder(ConversionLedger ledger) {
    this.ledger = ledger;
  }

  /** How many entries there are. */
  int size() {
    return timeline.size();
  }

  void add(JsonObject line) {
    ReplayEvent event = Dialect.DRAFT.decode(line).event();
    String tag = Dialect.DRAFT.codec().tag(line);
    String type = tag == null ? "" : tag;
    last = event.time() == null ? last : event.time();
    if (event instanceof ReplayHeader header) {
      header(header, line);
    } else if (event instanceof ToolCall call) {
      OpenCall open = new OpenCall(call.tool());
      pairing.call(call.id(), open);
      byTool.computeIfAbsent(call.tool(), tool -> new ArrayDeque<>()).add(open);
      JsonObject.Builder entry = entry(line, type, TimelineReader.TOOL_CALL);
      entry.add("tool", JsonString.of(call.tool()));
      ledger.add(Action.DROPPED, type, "id", null, "the timeline pairs by tool and order");
      data(entry, line, "input", "params", type);
      rest(entry, line, type, "type", "ts", "id", "tool", "params", "data");
    } else if (event instanceof ToolResult result) {
      OpenCall call = pairing.result(result.id());
      JsonObject.Builder entry = entry(line, type, TimelineReader.TOOL_RESULT);
      if (call == null) {
        ledger.add(Action.MISSING, type, "tool", null, "no call has the id of the result");
      } else {
        entry.add("tool", JsonString.of(call.tool));
        answered(call, type);
      }
      ledger.add(Action.DROPPED, type, "id", null, "the timeline pairs by tool and order");
      data(entry, line, "result", "output", type);
      rest(entry, line, type, "type", "ts", "id", "output", "data");
    } else if (event instanceof ModelResult result && result.answer().value() != null) {
      count(result);
      JsonObject.Builder entry = entry(line, type, TimelineReader.ASSISTANT);
      entry.add("data", result.answer().value());
      ledger.add(Action.RENAMED, type, "answer", "data");
      ledger.add(Action.DROPPED, type, "id", null);
      rest(entry, line, type, "type", "ts", "id", "answer");
    } else if (event instanceof UnknownEvent && !type.isEmpty() && !ENTRIES.contains(type)) {
      JsonObject.Builder entry = entry(line, type, type);
      line.without("type", "ts").forEach((name, value) -> {
        if (!entry.addIfAbsent(name, value)) {
          ledger.add(Action.DROPPED, type, name, null);
        }
      });
      timeline.add(entry.build());
    } else {
      count(event);
      ledger.add(Action.DROPPED, type, null, null, "the timeline has no such event");
    }
  }

  /** The bundle; what it requires and nothing says is among the missing. */
  JsonObject finish() {
    JsonObject.Builder bundle = JsonObject.builder();
    JsonValue version = kept.get("version");
    bundle.add("version", version == null ? JsonValue.of("1.0") : version);
    required(bundle, "id", id);
    required(bundle, "created_at", createdAt);
    JsonValue metadata = unlessSaid("metadata", model != null || tokensIn > 0 || tokensOut > 0);
    bundle.add("metadata", metadata == null ? metadata() : metadata);
    bundle.add("timeline", JsonArray.copyOf(timeline));
    boolean saysResults = ciStatus != null || tests != null || !files.isEmpty();
    JsonValue receipts = unlessSaid("receipts", saysResults);
    bundle.add("receipts", receipts == null ? receipts() : receipts);
    kept.without("version").forEach((name, value) -> {
      bundle.addIfAbsent(name, value); // metadata and receipts are there
      ledger.add(Action.MOVED, "ReplayHeader", KeptAside.BUNDLE + "." + name, BUNDLE + "." + name);
    });
    return bundle.build();
  }

  /** A member that the header keeps, unless the events of the log say what it would. */
  private @Nullable JsonValue unlessSaid(String name, boolean saidByEvents) {
    JsonValue value = kept.get(name);
    if (value != null && saidByEvents) {
      ledger.add(
          Action.DROPPED, "ReplayHeader", KeptAside.BUNDLE + "." + name, null, "events say it");
      kept = kept.without(name);
      return null;
    }
    return value;
  }

  private void header(ReplayHeader header, JsonObject line) {
    kept = line.get(KeptAside.BUNDLE) instanceof JsonObject object
        ? KeptAside.kept(object, ledger)
        : JsonObject.EMPTY;
    id = header.meta().sessionId();
    start = header.time();
    createdAt = start == null ? null : start.text();
    if (id != null) {
      ledger.add(Action.RENAMED, "ReplayHeader", "session_id", BUNDLE + ".id");
    }
    if (start != null) {
      ledger.add(Action.RENAMED, "ReplayHeader", "started_at", BUNDLE + ".created_at");
    }
    for (String name : line.without("type", "version", "session_id", "started_at", KeptAside.BUNDLE)
        .names()) {
      ledger.add(Action.DROPPED, "ReplayHeader", name, null);
    }
  }

  private void count(ReplayEvent event) {
    if (event instanceof ModelCall call && call.model() != null) {
      model = call.model();
    } else if (event instanceof ModelResult result) {
      tokensIn += result.tokens().input() == null ? 0 : result.tokens().input();
      tokensOut += result.tokens().output() == null ? 0 : result.tokens().output();
    } else if (event instanceof FileState file) {
      files.add(file.path());
    } else if (event instanceof Verification verification) {
      ciStatus = verification.ciStatus() == null ? ciStatus : verification.ciStatus();
      tests = verification.tests() == null ? tests : verification.tests();
    }
  }

  /** A timeline's reader takes a result for that of the first open call of its tool. */
  private void answered(OpenCall call, String type) {
    Deque<OpenCall> open = byTool.get(call.tool);
    if (open == null || open.peek() != call) {
      ledger.add(
          Action.MISSING, type, "id", null, "a reader will take it for that of another call");
    }
    if (open != null) {
      open.remove(call);
    }
  }

  private JsonObject.Builder entry(JsonObject line, String type, String entryType) {
    if (line.get("ts") instanceof JsonString text && start != null && last != null) {
      BigDecimal millis = millis(start.instant(), last.instant());
      boolean isBefore = millis.signum() < 0;
      lastT = JsonNumber.of(isBefore ? BigDecimal.ZERO : millis);
      boolean comesBack = Timestamp.of(last.instant()).text().equals(text.value());
      Action action = isBefore ? Action.DROPPED : comesBack ? Action.RENAMED : Action.RESPELLED;
      ledger.add(action, type, "ts", isBefore ? null : "t", isBefore ? BEFORE_START : null);
    } else {
      ledger.add(Action.INVENTED, type, "t", null);
    }
    return JsonObject.builder().add("t", lastT).add("type", JsonString.of(entryType));
  }

  /** The milliseconds between two times, exactly, without zeros behind the point. */
  private static BigDecimal millis(Instant from, Instant to) {
    BigDecimal nanos = BigDecimal.valueOf(to.getEpochSecond() - from.getEpochSecond())
        .movePointRight(9)
        .add(BigDecimal.valueOf((long) to.getNano() - from.getNano()));
    BigDecimal millis = nanos.movePointLeft(6).stripTrailingZeros();
    return millis.scale() < 0 ? millis.setScale(0) : millis;
  }

  private void data(
      JsonObject.Builder entry, JsonObject line, String member, String name, String type) {
    JsonObject.Builder data = JsonObject.builder();
    JsonValue value = line.get(name);
    if (value == null) {
      ledger.add(Action.MISSING, type, "data." + member, null);
    } else {
      data.add(member, value);
      ledger.add(Action.RENAMED, type, name, "data." + member);
    }
    if (line.get("data") instanceof JsonObject others) {
      others.forEach((other, otherValue) -> {
        if (!data.addIfAbsent(other, otherValue)) {
          ledger.add(Action.DROPPED, type, "data." + other, null);
        }
      });
    } else if (line.has("data")) {
      ledger.add(Action.DROPPED, type, "data", null);
    }
    entry.add("data", data.build());
  }

  private void rest(
      JsonObject.Builder entry, JsonObject line, String type, String... alreadyWritten) {
    Table<?> table = Dialect.DRAFT.codec().table(Dialect.DRAFT.codec().kind(line));
    line.without(alreadyWritten).forEach((name, value) -> {
      // what only the log says of a call is not for a timeline; what nobody knows is kept
      if (table.row(name) != null || !entry.addIfAbsent(name, value)) {
        ledger.add(Action.DROPPED, type, name, null);
      }
    });
    timeline.add(entry.build());
  }

  private void required(JsonObject.Builder bundle, String name, @Nullable String value) {
    if (value == null) {
      ledger.add(Action.MISSING, BUNDLE, name, null);
    } else {
      bundle.add(name, JsonString.of(value));
    }
  }

  private JsonObject metadata() {
    double seconds = start == null || last == null
        ? 0
        : millis(start.instant(), last.instant()).doubleValue() / 1000;
    for (String name : List.of("duration_seconds", "model", "tokens_in", "tokens_out")) {
      ledger.add(Action.COMPUTED, BUNDLE, "metadata." + name, null);
    }
    for (String name : List.of("playback_speed", "demo_duration_seconds", "cost_usd")) {
      ledger.add(Action.INVENTED, BUNDLE, "metadata." + name, null);
    }
    return JsonObject.of(
        "issue_url",
        null,
        "pr_url",
        null,
        "duration_seconds",
        seconds,
        "playback_speed",
        1.0,
        "demo_duration_seconds",
        seconds,
        "model",
        model == null ? "unknown" : model,
        "cost_usd",
        0.0,
        "tokens_in",
        tokensIn,
        "tokens_out",
        tokensOut);
  }

  private JsonObject receipts() {
    for (String name : List.of("ci_status", "files_changed", "tests_passed")) {
      ledger.add(Action.COMPUTED, BUNDLE, "receipts." + name, null);
    }
    for (String name : List.of("tests_run", "lines_added", "lines_removed")) {
      ledger.add(Action.INVENTED, BUNDLE, "receipts." + name, null);
    }
    long passed = tests == null ? 0 : tests.after();
    return JsonObject.of(
        "tests_run",
        passed,
        "tests_passed",
        passed,
        "ci_status",
        ciStatus == null ? "unknown" : ciStatus,
        "files_changed",
        files.size(),
        "lines_added",
        0,
        "lines_removed",
        0);
  }
}
