package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ParameterCheck;
import dev.agentreplay.engine.replay.execution.ParameterCheck.Fault;
import dev.agentreplay.engine.replay.execution.SchemaCompiler;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.settings.CircumstanceNames;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The checks of the parameters of tools in a replay: those that the caller gives, and, for other
 * tools, the recorded schemas. Immutable.
 */
final class ParameterChecks {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_FAULTS = 3;
  private static final int MAX_LENGTH = 300;

  private final Executors given;
  private final Map<String, ParameterCheck> recorded;

  private ParameterChecks(Executors given, Map<String, ParameterCheck> recorded) {
    this.given = given;
    this.recorded = recorded;
  }

  /**
   * Compiles the recorded schemas of the tools that a replay may execute.
   *
   * @param unusable receives the reason for each tool whose recorded schemas cannot be used
   */
  static ParameterChecks of(Replay replay, RecordingFacts facts, Consumer<Circumstance> unusable) {
    Map<String, ParameterCheck> checks = new HashMap<>();
    SchemaCompiler compiler = replay.recordedSchemas;
    if (compiler != null) {
      facts.schemas.byTool().forEach((tool, schemas) -> {
        if (replay.executors.check(tool) == null && mayExecute(replay, facts, tool)) {
          try {
            checks.put(tool, anyOf(compiler, schemas));
          } catch (IllegalArgumentException e) {
            unusable.accept(new Circumstance(
                CircumstanceNames.SCHEMA,
                null,
                null,
                "the parameters of %s are not checked: its recorded schema %s"
                    .formatted(tool, shortened(String.valueOf(e.getMessage())))));
          }
        }
      });
    }
    return new ParameterChecks(replay.executors, checks);
  }

  /** Whether a replay may execute a tool; a fork executes more than its mode does. */
  private static boolean mayExecute(Replay replay, RecordingFacts facts, String tool) {
    Fork fork = replay.fork;
    return facts.action(replay.policy, tool).executes()
        || (fork != null
            && (fork.changesTool(tool)
                || facts.action(replay.policy.withMode(ReplayMode.FULL), tool).executes()));
  }

  /** A check that is passed if one of several schemas is; a tool may have changed its schema. */
  private static ParameterCheck anyOf(SchemaCompiler compiler, Set<JsonValue> schemas) {
    List<ParameterCheck> compiled = new ArrayList<>();
    for (JsonValue schema : schemas) {
      compiled.add(compiler.compile(schema));
    }
    return params -> {
      List<Fault> faults = List.of();
      for (ParameterCheck check : compiled) {
        faults = check.check(params);
        if (faults.isEmpty()) {
          break;
        }
      }
      return faults;
    };
  }

  /**
   * The reason why a call is not executed; null if its parameters fit. What cannot be checked is
   * not executed.
   */
  @Nullable
  String refusal(ToolCall call, Executions executions) {
    ParameterCheck own = given.check(call.tool());
    ParameterCheck check = own == null ? recorded.get(call.tool()) : own;
    if (check == null) {
      return null;
    }
    try {
      return executions.execute(
          "the check of the parameters of " + call.tool(),
          () -> refusal(check, call),
          TIMEOUT,
          waited -> false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return uncheckable(call, "the agent was interrupted");
    } catch (CancellationException stopped) {
      return uncheckable(call, "the replay was stopped");
    } catch (Exception e) {
      Throwable thrown = e instanceof ExecutionException ? e.getCause() : e;
      return uncheckable(call, shortened(Failure.message(Objects.requireNonNull(thrown))));
    }
  }

  /** The reason why a call is not executed; null if its parameters fit. */
  @Nullable
  static String refusal(ParameterCheck check, ToolCall call) {
    JsonValue params = call.params().value();
    List<Fault> faults = check.check(params == null ? JsonObject.EMPTY : params);
    if (faults.isEmpty()) {
      return null;
    }
    StringBuilder message = new StringBuilder(
        "tool %s is not executed, because its parameters do not fit".formatted(call.tool()));
    String before = ": ";
    for (Fault fault : faults.subList(0, Math.min(faults.size(), MAX_FAULTS))) {
      message.append(before);
      if (!fault.pointer().isEmpty()) {
        message.append("at ").append(shortened(fault.pointer())).append(": ");
      }
      message
          .append(shortened(fault.message()))
          .append(" (")
          .append(fault.rule())
          .append(')');
      before = "; ";
    }
    if (faults.size() > MAX_FAULTS) {
      message.append("; and ").append(faults.size() - MAX_FAULTS).append(" more");
    }
    return message.toString();
  }

  /** The outcome of a call that is not executed, as it is recorded. */
  static Outcome refused(String reason) {
    return Outcome.failed(new ExchangeRefusedException(reason));
  }

  private static String uncheckable(ToolCall call, String reason) {
    return "tool %s is not executed, because its parameters cannot be checked: %s"
        .formatted(call.tool(), reason);
  }

  private static String shortened(String text) {
    return text.length() <= MAX_LENGTH ? text : Excerpt.beginning(text, MAX_LENGTH) + "...";
  }
}
