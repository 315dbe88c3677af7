package dev.agentreplay.engine.diff;

import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Finish;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is compared of an event: an object, whose members have the names that they have in the
 * dialect {@code event}. Its identity and its clock are in it only when a comparison is strict.
 */
final class EventView {

  /** Finds the values that stand in a log for themselves, or as a hash, or as a blob. */
  interface Contents {

    /** Puts a content there, as a value or as a hash. */
    void put(EventView view, String name, Content content) throws IOException;
  }

  private static final Map<StepKind, Map<String, DivergenceKind>> KINDS =
      new EnumMap<>(StepKind.class);

  static {
    kind(StepKind.START, DivergenceKind.START, "policy_version", "issue_number", "repo", "lane");
    kind(StepKind.START, DivergenceKind.START, "task", "context", "instructions");
    kind(StepKind.SETTINGS, DivergenceKind.SETTINGS, "values");
    kind(StepKind.PLAN, DivergenceKind.PLAN, "plan_hash", "step_count");
    kind(StepKind.CALL, DivergenceKind.TOOL, "tool");
    kind(StepKind.CALL, DivergenceKind.PARAMS, "params", "params_hash");
    kind(StepKind.CALL, DivergenceKind.OUTCOME, "ok", "exit_code", "error");
    kind(StepKind.CALL, DivergenceKind.OUTPUT, "output", "output_hash", "side_effects");
    kind(StepKind.CALL, DivergenceKind.ASSESSMENT, "step_utility");
    kind(StepKind.TURN, DivergenceKind.PROMPT, "model", "prompt", "prompt_hash", "parameters");
    kind(StepKind.TURN, DivergenceKind.OUTCOME, "error");
    kind(StepKind.TURN, DivergenceKind.RESPONSE, "answer", "answer_hash");
    kind(StepKind.TURN, DivergenceKind.RESPONSE, "finish_reason", "partial");
    kind(StepKind.TURN, DivergenceKind.ASSESSMENT, "tokens_in", "tokens_out");
    kind(StepKind.FILE_STATE, DivergenceKind.FILE_STATE, "path", "bytes");
    kind(StepKind.FILE_STATE, DivergenceKind.FILE_STATE, "hash_before", "hash_after");
    kind(StepKind.VERIFICATION, DivergenceKind.OUTCOME, "exit_codes", "ci_status");
    kind(StepKind.VERIFICATION, DivergenceKind.VERIFICATION, "commands", "cwd");
    kind(StepKind.VERIFICATION, DivergenceKind.VERIFICATION, "tests_before", "tests_after");
    kind(StepKind.VERIFICATION, DivergenceKind.VERIFICATION, "verification_delta");
    kind(StepKind.STEP, DivergenceKind.OUTCOME, "status");
    kind(StepKind.STEP, DivergenceKind.STEP, "iterations");
    kind(StepKind.PAYMENT, DivergenceKind.PAYMENT, "rail", "asset_id", "amount_msats", "status");
    kind(StepKind.PAYMENT, DivergenceKind.IDENTITY, "payment_proof", "job_hash");
    kind(StepKind.RUNTIME_EVENT, DivergenceKind.RUNTIME_EVENT, "runtime_event_type");
    kind(StepKind.RUNTIME_EVENT, DivergenceKind.RUNTIME_EVENT, "payload", "payload_hash");
    kind(StepKind.RUNTIME_EVENT, DivergenceKind.IDENTITY, "seq", "idempotency_key");
    kind(StepKind.END, DivergenceKind.END, "status", "error_message");
    kind(StepKind.END, DivergenceKind.ASSESSMENT, "confidence", "summary");
    kind(StepKind.RECORDED_VALUE, DivergenceKind.IDENTITY, "value");
    for (StepKind step : StepKind.values()) {
      kind(step, DivergenceKind.IDENTITY, "id", "step_id", "session_id");
      kind(step, DivergenceKind.TIMING, "t", "latency_ms");
    }
  }

  /** They differ without the conduct of a session being another one. */
  private static final Set<DivergenceKind> NOT_CONDUCT = Set.of(
      DivergenceKind.ASSESSMENT,
      DivergenceKind.OTHER,
      DivergenceKind.IDENTITY,
      DivergenceKind.TIMING);

  private final JsonObject.Builder members = JsonObject.builder();
  private final Contents contents;
  private final boolean strict;

  private EventView(Contents contents, boolean strict) {
    this.contents = contents;
    this.strict = strict;
  }

  static JsonObject of(ReplayEvent event, Contents contents, boolean strict) throws IOException {
    EventView view = new EventView(contents, strict);
    view.event(event);
    event.meta().extra().forEach((name, value) -> {
      // a time that is none stays there, in either spelling
      if (!name.equals("t") && !name.equals("ts")) {
        view.extra(name, value);
      }
    });
    return view.members.build();
  }

  /** What differs when a member of an event's view does. */
  static DivergenceKind kind(StepKind step, String member) {
    return KINDS.getOrDefault(step, Map.of()).getOrDefault(member, DivergenceKind.OTHER);
  }

  /** The members that say what was done, without what it was thought of. */
  static JsonObject conduct(StepKind step, JsonObject view) {
    String[] others = view.names().stream()
        .filter(name -> NOT_CONDUCT.contains(kind(step, name)))
        .toArray(String[]::new);
    // of an event that is not known nothing tells what matters
    return others.length == 0 || step == StepKind.OTHER ? view : view.without(others);
  }

  /** Puts a member there. */
  void put(String name, @Nullable Object value) {
    if (value != null) {
      members.add(name, JsonValue.of(value));
    }
  }

  private static void kind(StepKind step, DivergenceKind kind, String... names) {
    for (String name : names) {
      KINDS.computeIfAbsent(step, k -> new HashMap<>()).put(name, kind);
    }
  }

  /** What is not known, which may have the name of what is. */
  private void extra(String name, JsonValue value) {
    // a dialect writes it where another has no member for it
    if (name.equals("side_effects") && value.equals(JsonArray.EMPTY)) {
      return;
    }
    String free = name;
    while (!members.addIfAbsent(free, value)) {
      free = "other " + free;
    }
  }

  private void event(ReplayEvent event) throws IOException {
    if (strict) {
      put("t", text(event.time()));
      put("session_id", event.meta().sessionId());
    }
    if (event instanceof ToolCall call) {
      put("tool", call.tool());
      contents.put(this, "params", new Content(call.params(), call.paramsHash(), null, null));
      identity("id", call.id());
      identity("step_id", call.stepId());
    } else if (event instanceof ToolResult result) {
      result(result);
    } else if (event instanceof ModelCall call) {
      put("model", call.model());
      contents.put(this, "prompt", call.prompt());
      put("parameters", call.parameters().json());
      identity("id", call.id());
    } else if (event instanceof ModelResult result) {
      contents.put(this, "answer", result.answer());
      finish(result.finish());
      put("tokens_in", result.tokens().input());
      put("tokens_out", result.tokens().output());
      identity("id", result.id());
      identity("latency_ms", result.latencyMillis());
    } else if (event instanceof FileState file) {
      put("path", file.path());
      put("hash_before", text(file.before()));
      put("hash_after", text(file.after()));
      put("bytes", file.bytes());
    } else if (event instanceof Verification verification) {
      verification(verification);
    } else {
      rare(event);
    }
  }

  private void rare(ReplayEvent event) throws IOException {
    if (event instanceof StepComplete step) {
      put("status", status(step.status()));
      put("iterations", step.iterations());
      identity("step_id", step.stepId());
    } else if (event instanceof PlanStart plan) {
      put("plan_hash", text(plan.planHash()));
      put("step_count", plan.stepCount());
    } else if (event instanceof SessionStart start) {
      put("policy_version", start.policy() == null ? null : start.policy().id());
      put("issue_number", start.issueNumber());
      put("repo", start.repository());
      put("lane", start.lane());
      // empty is what is written where nothing is said
      put("task", Objects.equals(start.task().text(), "") ? null : start.task().text());
      put("context", start.task().context());
      put("instructions", start.task().instructions());
    } else if (event instanceof SessionEnd end) {
      put("status", status(end.status()));
      put("error_message", end.errorMessage());
      put("confidence", single(end.confidence()));
      put("summary", end.summary());
    } else if (event instanceof Settings settings) {
      put("values", settings.values());
    } else if (event instanceof Payment payment) {
      put("rail", payment.rail());
      put("asset_id", payment.assetId());
      put("amount_msats", payment.amountMsats());
      put("status", status(payment.status()));
      identity("payment_proof", payment.proof());
      identity("job_hash", payment.jobHash());
    } else if (event instanceof RuntimeEvent runtime) {
      put("runtime_event_type", runtime.type());
      contents.put(this, "payload", runtime.payload());
      identity("seq", runtime.seq());
      identity("idempotency_key", runtime.idempotencyKey());
    } else if (event instanceof RecordedValue recorded) {
      put("source", recorded.source());
      put("ordinal", recorded.ordinal());
      identity("value", recorded.value());
    } else if (event instanceof RecordingGap gap) {
      put("events", gap.events());
      put("reason", gap.reason());
    }
  }

  private void result(ToolResult result) throws IOException {
    Outcome outcome = result.outcome();
    // dialects differ in what they say of a success, so that of a success nothing is compared
    put("ok", outcome.succeeded() ? null : false);
    boolean isZero = outcome.exitCode() != null && outcome.exitCode() == 0;
    put("exit_code", isZero ? null : outcome.exitCode());
    put("error", outcome.error());
    contents.put(this, "output", result.output());
    if (!result.sideEffects().isEmpty()) {
      put(
          "side_effects",
          array(result.sideEffects().stream().map(SideEffect::json).toArray()));
    }
    // 0.0 is what is written where nothing is said
    Double utility = single(result.stepUtility());
    put("step_utility", utility == null || utility == 0 ? null : utility);
    identity("id", result.id());
    identity("latency_ms", result.latencyMillis());
  }

  private void finish(Finish finish) {
    put("finish_reason", finish.reason());
    put("partial", finish.partial());
    put("error", finish.error());
  }

  private void verification(Verification verification) {
    put(
        "commands",
        array(verification.commands().stream().map(CommandRun::command).toArray()));
    put(
        "exit_codes",
        array(verification.commands().stream().map(CommandRun::exitCode).toArray()));
    if (verification.commands().stream().anyMatch(run -> run.cwd() != null)) {
      put("cwd", array(verification.commands().stream().map(CommandRun::cwd).toArray()));
    }
    if (verification.tests() != null) {
      put("tests_before", verification.tests().before());
      put("tests_after", verification.tests().after());
    }
    put("verification_delta", verification.delta());
    put("ci_status", verification.ciStatus());
  }

  private void identity(String name, @Nullable Object value) {
    if (strict) {
      put(name, value);
    }
  }

  private static JsonArray array(@Nullable Object[] values) {
    return JsonArray.of(values);
  }

  /** Dialects differ in how a status is spelled. */
  private static @Nullable String status(@Nullable Status status) {
    if (status == null) {
      return null;
    }
    return status.kind() == Status.Kind.OTHER
        ? status.spelling()
        : status.kind().name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  /** Rust widens 32-bit floats: 0.2 is 0.20000000298023224 in its logs. */
  private static @Nullable Double single(@Nullable Double value) {
    if (value == null || Float.isInfinite(value.floatValue())) {
      return value;
    }
    return Double.valueOf(Float.toString(value.floatValue()));
  }

  /** A hash as it stands in a log. */
  static String hashName(String name) {
    return name + "_hash";
  }

  /** Puts a hash in the place of a value. */
  void putHash(String name, @Nullable ContentHash hash) {
    put(hashName(name), text(hash));
  }
}
