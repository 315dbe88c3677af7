package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.order.Ordered;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.execution.ParameterCheck;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.recording.AgentRecorder;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.PendingModelCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A scope that executes everything and records it. */
final class RecordingScope implements AgentScope, Ordered<AgentScope> {

  private final SessionRecorder recorder;
  private final Executors executors;

  /** The recorder of a sub-agent; null for the main agent. */
  private final @Nullable AgentRecorder agent;

  /** Run when a call was recorded. */
  private final Runnable onPlaced;

  private RecordingScope(
      SessionRecorder recorder,
      Executors executors,
      @Nullable AgentRecorder agent,
      Runnable onPlaced) {
    this.recorder = recorder;
    this.executors = executors;
    this.agent = agent;
    this.onPlaced = onPlaced;
  }

  static AgentScope of(SessionRecorder recorder, Executors executors) {
    return new RecordingScope(
        Objects.requireNonNull(recorder, "recorder"),
        Objects.requireNonNull(executors, "executors"),
        null,
        () -> {});
  }

  @Override
  public AgentScope onPlaced(Runnable action) {
    return new RecordingScope(recorder, executors, agent, action);
  }

  @Override
  public ToolResult execute(ToolCall call) throws Exception {
    ToolExecutor executor = executors.tool(call.tool());
    if (executor == null) {
      throw new ExchangeRefusedException("there is no executor of the tool " + call.tool());
    }
    return execute(call, executor);
  }

  @Override
  public ToolResult execute(ToolCall call, ToolExecutor executor) throws Exception {
    PendingCall pending = record(call);
    String id = pending.id();
    ToolCall request = (ToolCall) Requests.withId(call, id, call.meta());
    onPlaced.run();
    long start = recorder.nanoTime();
    ToolResult result;
    try {
      ParameterCheck check = executors.check(call.tool());
      String refusal = check == null ? null : ParameterChecks.refusal(check, request);
      if (refusal != null) {
        throw new ExchangeRefusedException(refusal);
      }
      result = Objects.requireNonNull(executor.execute(request), "the executor returned null");
    } catch (Throwable failure) {
      try {
        pending.failed(failure);
      } catch (IOException notRecorded) {
        failure.addSuppressed(notRecorded);
      }
      throw failure;
    }
    if (result.latencyMillis() == null) {
      result = result.withLatencyMillis(millisSince(start));
    }
    result = (ToolResult) Requests.result(result, id, result.output().value(), result.meta());
    record(result);
    return result;
  }

  /** Records a call, with a generated id if it has none, or that of an open call of any lane. */
  private PendingCall record(ToolCall call) throws IOException {
    if (!call.id().isBlank()) {
      try {
        return agent == null ? recorder.call(call) : agent.call(call);
      } catch (IllegalArgumentException e) {
        // an open call has this id; any other fault occurs with a generated id, too
      }
    }
    String id = recorder.newCallId();
    ToolCall renamed = (ToolCall) Requests.withNewId(call, id, call.meta());
    return agent == null ? recorder.call(renamed) : agent.call(renamed);
  }

  @Override
  public ModelResult execute(ModelCall call, Consumer<String> pieces) throws Exception {
    ModelExecutor executor = executors.model();
    if (executor == null) {
      throw new ExchangeRefusedException("there is no executor of models");
    }
    return execute(call, pieces, executor);
  }

  @Override
  public ModelResult execute(ModelCall call, Consumer<String> pieces, ModelExecutor executor)
      throws Exception {
    String id = call.id().isBlank() ? recorder.newModelCallId() : call.id();
    ModelCall request = (ModelCall) Requests.withId(call, id, call.meta());
    PendingModelCall pending =
        agent == null ? recorder.modelCall(request) : agent.modelCall(request);
    onPlaced.run();
    long start = recorder.nanoTime();
    StreamedText stream = new StreamedText();
    ModelResult result;
    try {
      result = executor.call(request, piece -> {
        stream.add(millisSince(start), piece);
        pending.chunk(piece);
        pieces.accept(piece);
      });
      Objects.requireNonNull(result, "the executor returned null");
      result = Executions.finished(result, id, millisSince(start), stream);
    } catch (Throwable failure) {
      try {
        pending.failed(failure);
      } catch (IOException notRecorded) {
        failure.addSuppressed(notRecorded);
      }
      throw failure;
    }
    record(result);
    return result;
  }

  private long millisSince(long startNanos) {
    return TimeUnit.NANOSECONDS.toMillis(recorder.nanoTime() - startNanos);
  }

  @Override
  public @Nullable Session recorded() {
    return null;
  }

  @Override
  public DeterministicContext context() {
    return agent == null ? recorder.context() : agent.context();
  }

  @Override
  public AgentScope agent(String id, @Nullable String parent) {
    return new RecordingScope(recorder, executors, recorder.agent(id, parent), onPlaced);
  }

  @Override
  public void emit(ReplayEvent event) {
    Requests.requireStated(event);
    record(event);
  }

  private void record(ReplayEvent event) {
    try {
      if (agent == null) {
        recorder.emit(event);
      } else {
        agent.emit(event);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void settings(Settings settings) {
    try {
      recorder.settings(settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void end(SessionEnd end) {
    try {
      recorder.end(end);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
