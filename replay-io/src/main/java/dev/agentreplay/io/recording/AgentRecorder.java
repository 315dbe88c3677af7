package dev.agentreplay.io.recording;

import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.ToolCall;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the events of one agent, or sub-agent, of a session: its lane. Every event has the member
 * {@code agent}, and {@code parent} if a call started the agent.
 * {@link SessionRecorder#agent(String, String)} creates it. The methods record as those of the same
 * name of {@link SessionRecorder} do, with the same exceptions. Safe for use by several threads; it
 * needs not be closed, and ends with its session.
 */
public final class AgentRecorder {

  private final @Nullable String id;
  private final @Nullable String parent;
  private final RecordingStart start;
  private final RecordingWriter events;
  private final LossLog losses;
  private final LongSupplier nanoTime;
  private final ToolRun runs;

  private AgentRecorder(
      @Nullable String id,
      @Nullable String parent,
      RecordingStart start,
      RecordingWriter events,
      LossLog losses,
      LongSupplier nanoTime) {
    this.id = id;
    this.parent = parent;
    this.start = start;
    this.events = events;
    this.losses = losses;
    this.nanoTime = nanoTime;
    this.runs = new ToolRun(this, start.tools, losses, start.options.failurePolicy());
  }

  /** Creates the recorder of the events without an agent. */
  static AgentRecorder root(
      RecordingStart start, RecordingWriter events, LossLog losses, LongSupplier nanoTime) {
    return new AgentRecorder(null, null, start, events, losses, nanoTime);
  }

  /**
   * The source of nondeterministic values of this agent: the lane of
   * {@link SessionRecorder#context} with its id.
   */
  public DeterministicContext context() {
    DeterministicContext context = Objects.requireNonNull(start.context);
    return id == null ? context : context.lane(id);
  }

  /** Records a call of a tool, as {@link SessionRecorder#call(String, Object)} does. */
  public PendingCall call(String tool, @Nullable Object params) throws IOException {
    return generated(tool, params, Attempt.NONE);
  }

  /** Records a call of a tool, as {@link SessionRecorder#call(ToolCall)} does. */
  public PendingCall call(ToolCall call) throws IOException {
    RecordedEvents.requireId(call.id());
    losses.throwUntold();
    return record((ToolCall) stamped(call), false);
  }

  /** Records a call that is to cause an effect, as {@link SessionRecorder#effect} does. */
  public PendingCall effect(String tool, @Nullable Object params) throws IOException {
    return generated(tool, params, Attempt.first(start.effects.next(id)));
  }

  /** Records one more attempt, as {@link SessionRecorder#retry} does. */
  public PendingCall retry(ToolCall earlier) throws IOException {
    if (earlier.attempt().effectId() == null) {
      throw new IllegalArgumentException(
          "call \"" + earlier.id() + "\" has no id of an effect, so that it cannot be repeated");
    }
    losses.throwUntold();
    Meta meta = earlier.meta().withTime(null);
    if (id != null) {
      meta = meta.withAgent(id).withParent(parent);
    }
    Attempt next = start.effects.next(earlier.attempt());
    String callId = start.tools.openNew(meta.agent());
    ToolCall call =
        new ToolCall(callId, earlier.tool(), earlier.params(), earlier.stepId(), next, meta);
    try {
      return record(call, true);
    } catch (RuntimeException refused) {
      return lost(call, refused);
    } catch (Throwable e) {
      start.tools.close(callId, meta.agent());
      throw e;
    }
  }

  private PendingCall generated(String tool, @Nullable Object params, Attempt attempt)
      throws IOException {
    losses.throwUntold();
    String callId = start.tools.openNew(id);
    try {
      ToolCall call = RecordedEvents.toolCall(callId, tool, params).withAttempt(attempt);
      return record((ToolCall) stamped(call), true);
    } catch (RuntimeException refused) {
      ToolCall call = new ToolCall(callId, tool, Content.NONE, null, attempt, Meta.NONE);
      return lost((ToolCall) stamped(call), refused);
    } catch (Throwable e) {
      start.tools.close(callId, id);
      throw e;
    }
  }

  /** Loses a call that was refused, unless the policy is to throw the exception. */
  private PendingCall lost(ToolCall call, RuntimeException refused) {
    events.lose(start.tools, call.id(), call.meta().agent(), call.tool(), refused);
    return new PendingCall(this, started(call), call);
  }

  /** The calls without a result in a log that is resumed. */
  List<PendingCall> interruptedCalls() {
    return start.interrupted.tools().stream()
        .map(call -> {
          PendingCall pending = new PendingCall(this, started(call), call);
          pending.isWritten = true;
          return pending;
        })
        .toList();
  }

  /** The calls of models without a result in a log that is resumed. */
  List<PendingModelCall> interruptedModelCalls() {
    return start.interrupted.models().stream()
        .map(call -> new PendingModelCall(started(call)))
        .toList();
  }

  /** Creates the answer of a call that is not written now, from which on its time is measured. */
  private SingleAnswer started(ReplayEvent call) {
    SingleAnswer answer = new SingleAnswer(this, stamped(call), nanoTime);
    answer.startedNanos = nanoTime.getAsLong();
    return answer;
  }

  /** Records the result of a call. */
  WrittenEvent answer(ReplayEvent result) throws IOException {
    return events.writeAnswer(stamped(result));
  }

  private PendingCall record(ToolCall call, boolean isOpen) throws IOException {
    SingleAnswer answer = new SingleAnswer(this, call, nanoTime);
    PendingCall pending = new PendingCall(this, answer, call);
    WrittenEvent written = events.writeCall(call, start.tools, call.id(), isOpen);
    pending.isWritten = written.position != null; // no method, in which an Error may be thrown
    answer.startedNanos = nanoTime.getAsLong();
    return pending;
  }

  /** Records a call of a model without parameters. */
  public PendingModelCall modelCall(String model, Object prompt) throws IOException {
    return modelCall(model, prompt, null);
  }

  /**
   * Records a call of a model, as {@link SessionRecorder#modelCall(String, Object, Object)} does.
   */
  public PendingModelCall modelCall(String model, Object prompt, @Nullable Object parameters)
      throws IOException {
    losses.throwUntold();
    String callId = start.models.newId();
    try {
      return record(RecordedEvents.modelCall(callId, model, prompt, parameters));
    } catch (RuntimeException refused) {
      events.lose(start.models, callId, id, model, refused);
      return new PendingModelCall(started(ModelCall.of(callId, model, Prompt.of(""))));
    }
  }

  /** Records a call of a model, as {@link SessionRecorder#modelCall(ModelCall)} does. */
  public PendingModelCall modelCall(ModelCall call) throws IOException {
    RecordedEvents.requireId(call.id());
    losses.throwUntold();
    return record(call);
  }

  private PendingModelCall record(ModelCall call) throws IOException {
    ReplayEvent stamped = stamped(call);
    SingleAnswer answer = new SingleAnswer(this, stamped, nanoTime);
    PendingModelCall pending = new PendingModelCall(answer);
    events.write(stamped);
    answer.startedNanos = nanoTime.getAsLong();
    return pending;
  }

  /** Runs a tool, as {@link SessionRecorder#run(String, Object, Callable)} does. */
  public <T extends @Nullable Object> T run(String tool, @Nullable Object params, Callable<T> body)
      throws Exception {
    return run(tool, params, body, output -> output);
  }

  /** Runs a tool, as {@link SessionRecorder#run(String, Object, Callable, Function)} does. */
  public <T extends @Nullable Object> T run(
      String tool,
      @Nullable Object params,
      Callable<T> body,
      Function<T, @Nullable Object> toOutput)
      throws Exception {
    return runs.run(tool, params, body, toOutput);
  }

  /** Runs the tool of a call that is recorded. */
  <T extends @Nullable Object> T run(
      PendingCall call, Callable<T> body, Function<T, @Nullable Object> toOutput) throws Exception {
    return runs.run(call, body, toOutput);
  }

  /**
   * Records any event, as {@link SessionRecorder#emit} does.
   *
   * @throws IllegalArgumentException if the event states a different agent or parent
   */
  public WrittenEvent emit(ReplayEvent event) throws IOException {
    if (event instanceof SessionEnd || event instanceof ToolCall) {
      throw new IllegalArgumentException(
          event.kind().id() + " is recorded by call() or end(), not by emit()");
    }
    return events.write(stamped(event));
  }

  /**
   * Returns a recorder of an agent that this agent started, as {@link SessionRecorder#agent(String,
   * String)} does. Ids of agents are those of the session: they are not relative to this agent.
   */
  public AgentRecorder agent(String agent, @Nullable String parentCall) {
    if (agent.isBlank()) {
      throw new IllegalArgumentException("an agent needs an id, found \"" + agent + "\"");
    }
    if (parentCall != null && parentCall.isBlank()) {
      throw new IllegalArgumentException(
          "the call that starts an agent needs an id, found \"" + parentCall + "\"");
    }
    return new AgentRecorder(agent, parentCall, start, events, losses, nanoTime);
  }

  /** The event with agent and parent, which it must not state differently. */
  private ReplayEvent stamped(ReplayEvent event) {
    if (id == null) {
      return event;
    }
    Meta meta = event.meta();
    requireSame("agent", meta.agent(), id);
    requireSame("parent", meta.parent(), parent);
    return event.withMeta(meta.withAgent(id).withParent(parent));
  }

  private void requireSame(String name, @Nullable String stated, @Nullable String own) {
    if (stated != null && !stated.equals(own)) {
      throw new IllegalArgumentException(
          "the event states the %s \"%s\", but is recorded by agent \"%s\"%s"
              .formatted(
                  name, stated, id, own == null ? "" : " with the " + name + " \"" + own + "\""));
    }
  }
}
