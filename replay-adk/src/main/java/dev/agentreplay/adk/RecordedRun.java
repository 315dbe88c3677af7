package dev.agentreplay.adk;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.CallbackContext;
import com.google.adk.agents.InvocationContext;
import com.google.adk.events.Event;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.Content;
import dev.agentreplay.adk.AgentLanes.Lane;
import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.ToolResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The recording of a run, with the runs that its tools start. The kit does not state the end of an
 * answer: a result is written when the agent continues. Safe for use by several threads.
 */
final class RecordedRun {

  /** A call of a model whose result is not recorded. */
  private static final class OpenModelCall {
    final String invocation;
    final Lane lane;
    final LlmRequest.Builder request;
    final BaseAgent agent;
    final long startedNanos;
    final StreamedText stream = new StreamedText();
    final List<LlmResponse> answers = new ArrayList<>();

    @Nullable
    LlmResponse newestPart;

    long answeredNanos;
    boolean isRecorded;
    boolean hasFailed;

    /** The id in the log; null if the call was not recorded. */
    @Nullable
    String id;

    OpenModelCall(
        InvocationContext invocation, Lane lane, LlmRequest.Builder request, long startedNanos) {
      this.invocation = invocation.invocationId();
      this.agent = invocation.agent();
      this.lane = lane;
      this.request = request;
      this.startedNanos = startedNanos;
    }

    boolean isIn(String otherInvocation, Lane otherLane) {
      return invocation.equals(otherInvocation) && lane.equals(otherLane);
    }

    boolean isAnswered() {
      return !answers.isEmpty() || newestPart != null;
    }

    long millis(long nanos) {
      return TimeUnit.NANOSECONDS.toMillis(nanos - startedNanos);
    }
  }

  /** A call of a tool whose result is not recorded. */
  private record OpenToolCall(@Nullable String id, Lane lane, long startedNanos) {}

  private final GuardedSession session;
  private final AgentLanes lanes;
  private final RequestForms requests = new RequestForms();

  /** Guards the calls. */
  private final Object lock = new Object();

  /** By the id of the event that the kit prepares for the answer. */
  private final Map<String, OpenModelCall> models = new LinkedHashMap<>();

  private final Map<ToolContext, OpenToolCall> tools = new WeakHashMap<>();

  /** The errors of models and tools that their callbacks have reported. */
  private final Set<Throwable> reported =
      Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

  private volatile @Nullable String finalText;

  RecordedRun(GuardedSession session, AgentLanes lanes) {
    this.session = session;
    this.lanes = lanes;
  }

  GuardedSession session() {
    return session;
  }

  AgentLanes lanes() {
    return lanes;
  }

  private Lane lane(CallbackContext context) {
    return lanes.of(context.invocationId(), context.agentName());
  }

  /**
   * Takes a request to a model. It is recorded when the model is called with it, which is when the
   * first part of the answer arrives, unless no callback may change it.
   *
   * @param isFinal whether no callback may change the request, or answer it
   */
  void beforeModel(CallbackContext context, LlmRequest.Builder request, boolean isFinal) {
    Lane lane = lane(context);
    answered(call -> call.isIn(context.invocationId(), lane));
    OpenModelCall call =
        new OpenModelCall(context.invocationContext(), lane, request, session.nanoTime());
    synchronized (lock) {
      models.put(context.eventId(), call);
    }
    if (isFinal) {
      record(call);
    }
  }

  private void record(OpenModelCall call) {
    synchronized (lock) {
      if (call.isRecorded) {
        return;
      }
      call.isRecorded = true;
    }
    LlmRequest request = call.request.build();
    synchronized (requests) { // the settings of two lanes are emitted in the order of their forms
      Settings tools = requests.tools(request, call.agent, call.lane);
      if (tools != null) {
        session.emit("Settings", () -> tools);
      }
    }
    String id = session.modelCall(each -> requests.call(each, request, call.lane));
    synchronized (lock) {
      call.id = id;
    }
  }

  /** Takes a response of a model. */
  void afterModel(CallbackContext context, LlmResponse response) {
    long now = session.nanoTime();
    OpenModelCall call;
    synchronized (lock) {
      call = models.get(context.eventId());
    }
    if (call == null) {
      session.report(
          "ModelResult", new IllegalStateException("a response arrived after its call had ended"));
      session.leaveGap("ModelResult: a response arrived after its call had ended");
      return;
    }
    if (call.hasFailed) { // the response is that of a callback which recovers
      return;
    }
    record(call);
    synchronized (lock) {
      call.answeredNanos = now;
      if (AnswerForms.isPartial(response)) {
        call.stream.add(call.millis(now), AnswerForms.piece(response));
        call.newestPart = response;
      } else {
        call.answers.add(response);
      }
    }
  }

  /** Records that a model failed. */
  void modelFailed(CallbackContext context, Throwable error) {
    long now = session.nanoTime();
    OpenModelCall call;
    synchronized (lock) {
      call = models.get(context.eventId());
    }
    if (call != null) {
      record(call);
      synchronized (lock) {
        call.hasFailed = true;
        reported.add(error);
      }
      failed(call, error, call.millis(now), false);
    }
  }

  private void failed(
      OpenModelCall call, Throwable error, long latencyMillis, boolean isThrownByCall) {
    session.result(
        "ModelResult",
        call.id,
        id -> AnswerForms.timed(
            AnswerForms.failed(id, error, call.stream, call.lane, isThrownByCall),
            call.stream,
            latencyMillis));
  }

  /** Records the answers of the calls to which the agent continues. */
  private void answered(Predicate<OpenModelCall> calls) {
    List<OpenModelCall> ended = new ArrayList<>();
    synchronized (lock) {
      models.values().removeIf(call -> calls.test(call) && ended.add(call));
    }
    for (OpenModelCall call : ended) {
      if (call.isAnswered() && !call.hasFailed) {
        session.result("ModelResult", call.id, id -> result(id, call));
      }
    }
  }

  private static ModelResult result(String id, OpenModelCall call) {
    long latencyMillis = call.millis(call.answeredNanos);
    LlmResponse part = call.newestPart;
    if (call.answers.isEmpty() && part != null) { // the stream was interrupted, or has no end
      boolean isText = call.stream.finish();
      LlmResponse answer = isText ? AnswerForms.ofPieces(call.stream.text(), part) : part;
      ModelResult result = AnswerForms.result(id, answer, call.lane, call.agent);
      Completion finish = result.finish();
      return AnswerForms.timed(
          result.withFinish(new Completion(finish.reason(), true, finish.error())),
          call.stream,
          latencyMillis);
    }
    return AnswerForms.timed(
        AnswerForms.result(id, call.answers, call.lane, call.agent), call.stream, latencyMillis);
  }

  /** Takes an event of the run, which may be an answer that a callback gave. */
  void event(InvocationContext invocation, Event event) {
    Content content = event.content().orElse(null);
    if (event.partial().orElse(false) || content == null || event.author() == null) {
      return;
    }
    String text = SessionForms.finalText(event);
    if (text != null && !lanes.isNested(invocation.invocationId())) {
      finalText = text;
    }
    if (event.functionResponses().isEmpty()) {
      Lane lane = lanes.of(invocation.invocationId(), event.author());
      OpenModelCall unsent = null;
      synchronized (lock) {
        for (OpenModelCall call : models.values()) {
          unsent = call.isIn(invocation.invocationId(), lane) && !call.isRecorded ? call : unsent;
        }
        models.values().remove(unsent);
      }
      if (unsent != null) {
        session.emit("RuntimeEvent", () -> CallbackAnswer.of(content, lane));
      }
    }
  }

  /** Records the call of a tool; returns its id, null if it was not recorded. */
  @Nullable
  String beforeTool(BaseTool tool, Map<String, Object> arguments, ToolContext context) {
    Lane lane = lane(context);
    answered(call -> call.isIn(context.invocationId(), lane));
    String id = session.call(() -> ToolForms.call(tool.name(), arguments, context, lane));
    String target = ToolForms.transfer(tool.name(), arguments);
    if (target != null && id != null) {
      lanes.transferred(context.invocationId(), target, id);
    }
    synchronized (lock) {
      tools.put(context, new OpenToolCall(id, lane, session.nanoTime()));
    }
    return id;
  }

  /** Records the result of a tool, unless it has failed, and a callback gave the result. */
  void afterTool(ToolContext context, @Nullable Map<String, Object> output) {
    ended(context, (id, lane) -> ToolForms.result(id, output, context, lane));
  }

  /** Records that a tool failed. */
  void toolFailed(ToolContext context, Throwable error) {
    reported.add(error);
    ended(context, (id, lane) -> ToolForms.failed(id, error, context, lane));
  }

  private interface Result {
    ToolResult of(String id, Lane lane);
  }

  private void ended(ToolContext context, Result result) {
    long now = session.nanoTime();
    OpenToolCall call;
    synchronized (lock) {
      call = tools.remove(context);
    }
    if (call != null) {
      long latencyMillis = TimeUnit.NANOSECONDS.toMillis(now - call.startedNanos());
      session.result("ToolResult", call.id(), id -> result
          .of(id, call.lane())
          .withLatencyMillis(latencyMillis));
    }
  }

  /** Records the answers of an agent that has ended. */
  void agentEnded(CallbackContext context) {
    Lane lane = lane(context);
    answered(call -> call.isIn(context.invocationId(), lane));
  }

  /**
   * Ends an invocation of the session.
   *
   * @param error the error that ended it; null if it completed
   */
  void invocationEnded(String invocation, @Nullable Throwable error) {
    long now = session.nanoTime();
    OpenModelCall thrower = error == null ? null : thrower(invocation, error);
    if (error != null && thrower != null) {
      failed(thrower, error, thrower.millis(now), true);
    }
    answered(call -> call.invocation.equals(invocation));
    lanes.end(invocation);
  }

  /**
   * Takes the call of the model that threw the error of an invocation when it was called, of which
   * the kit calls no other callback; null if it is not known that one did.
   */
  private @Nullable OpenModelCall thrower(String invocation, Throwable error) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (reported.contains(each)) {
        return null;
      }
    }
    synchronized (lock) {
      List<OpenModelCall> open = models.values().stream()
          .filter(call -> call.invocation.equals(invocation) && call.isRecorded)
          .filter(call -> !call.isAnswered() && !call.hasFailed)
          .toList();
      if (open.size() != 1 || RequestForms.isParallel(open.get(0).agent)) {
        return null;
      }
      models.values().removeAll(open);
      return open.get(0);
    }
  }

  /** Ends the session, unless it is one of the caller. */
  void end(@Nullable Throwable error) {
    String text = finalText;
    session.end(() -> end(error, text));
  }

  private static SessionEnd end(@Nullable Throwable error, @Nullable String text) {
    return error == null ? SessionForms.completed(text) : SessionForms.failed(error);
  }

  /** Closes the session without an end; what has arrived is recorded. */
  void close() {
    answered(call -> true);
    session.close();
  }
}
