package dev.agentreplay.langchain4j;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RunningCall;
import dev.agentreplay.langchain4j.OpenCalls.OpenCall;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StreamedText;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.guardrail.GuardrailException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.tool.ToolExecution;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The recording of one invocation of a service, from its start to its end. Safe for use by several
 * threads.
 */
final class RecordedInvocation {

  /** The latency of a tool if it is unknown; a result without a latency would be rejected. */
  private static final long UNMEASURED = 0;

  private final GuardedSession session;
  private final MessageJson json = new MessageJson();

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final OpenCalls tools = new OpenCalls();
  private final OpenCalls models = new OpenCalls();
  private final List<RunningCall> running = new ArrayList<>();

  /** The exceptions of tools that have no result yet, by the identity of their requests. */
  private final IdentityHashMap<ToolExecutionRequest, Throwable> toolErrors =
      new IdentityHashMap<>();

  private @Nullable Object newestRequest;
  private @Nullable AiMessage newestAnswer;
  private boolean seesResults;

  RecordedInvocation(GuardedSession session) {
    this.session = session;
  }

  /** The session, or the lane in it, that this invocation is recorded into. */
  GuardedSession session() {
    return session;
  }

  /**
   * Records a request to a model.
   *
   * @param model gives the properties of the model; if it throws, a gap is recorded
   */
  void requestIssued(ChatRequest request, Supplier<ModelDefaults> model) {
    String id = session.modelCall(newId -> ModelEvents.call(newId, request, model.get(), json));
    lock.lock();
    try {
      models.add(new OpenCall(request, id, session.nanoTime()));
      newestRequest = request;
    } finally {
      lock.unlock();
    }
  }

  /** The open call of a request to a model; null if this invocation has none. */
  @Nullable
  OpenCall modelCall(ChatRequest request) {
    lock.lock();
    try {
      return models.find(request);
    } finally {
      lock.unlock();
    }
  }

  /** The clock of latencies. */
  long nanoTime() {
    return session.nanoTime();
  }

  /** Records a response of a model. */
  void responseReceived(ChatRequest request, ChatResponse response) {
    long now = session.nanoTime();
    OpenCall call;
    lock.lock();
    try {
      call = models.take(request);
      if (call == null) { // a different listener may have replaced the request by a copy
        call = models.takeNewest();
      }
    } finally {
      lock.unlock();
    }
    if (call == null) {
      session.report("ModelResult", new IllegalStateException("no model call is open"));
      session.leaveGap("ModelResult: no model call is open");
    } else {
      answer(call, response, call.millis(now));
    }
  }

  /**
   * Records a response that a guardrail has seen. The response to a request made by an earlier
   * guardrail is reported nowhere else, and its time is unknown. A guardrail sees the response
   * before later guardrails rewrite it.
   */
  void guardrailExecuted(ChatResponse response) {
    OpenCall call;
    lock.lock();
    try {
      call = newestRequest == null ? null : models.take(newestRequest);
    } finally {
      lock.unlock();
    }
    if (call != null) {
      answer(call, response, null);
    }
  }

  private void answer(OpenCall call, ChatResponse response, @Nullable Long latencyMillis) {
    lock.lock();
    try {
      newestAnswer = response.aiMessage();
    } finally {
      lock.unlock();
    }
    session.result("ModelResult", call.id(), id -> answer(call, id, response, latencyMillis));
  }

  /** The event of a response, with its pieces if they are those of its text. */
  private ModelResult answer(
      OpenCall call, String id, ChatResponse response, @Nullable Long latencyMillis) {
    ModelResult result = ModelEvents.result(id, response, latencyMillis);
    if (!call.stream().finish()) {
      return result;
    }
    String text = response.aiMessage().text();
    if (!call.stream().text().equals(text)) {
      session.report(
          "ModelResult",
          new IllegalStateException("the pieces of the stream are not recorded,"
              + " because they do not form the text of the answer"));
      return result;
    }
    Chunks chunks = call.stream().chunksIn(result.answer().value());
    return result.withTiming(result.timing().withChunks(chunks));
  }

  /** Records a tool call before its execution. */
  void beforeToolExecution(ToolExecutionRequest request) {
    OpenCall call = recordCall(request);
    lock.lock();
    try {
      RunningCall tool = session.begin(call.id(), ToolEvents.number(request, newestAnswer));
      tools.add(call);
      if (tool != null) {
        running.add(tool);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Keeps the exception of a tool until its result, which has only the text for the model. */
  void toolFailed(ToolExecutionRequest request, Throwable error) {
    lock.lock();
    try {
      if (tools.find(request) != null) {
        toolErrors.put(request, error);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Records the result of a tool. Returns whether its call was seen. */
  boolean afterToolExecution(ToolExecution execution) {
    // a failure here will also occur in the agent: the call stays open until its error is reported
    return toolReturned(
        execution.request(),
        execution.resultContents(),
        EventParts.attributes(execution),
        execution.hasFailed());
  }

  /** Records the result of a tool. Returns whether its call was seen. */
  boolean toolReturned(ToolExecutionRequest request, ToolExecutionResult result) {
    return toolReturned(request, result.resultContents(), result.attributes(), result.isError());
  }

  private boolean toolReturned(
      ToolExecutionRequest request,
      List<Content> contents,
      Map<String, Object> attributes,
      boolean failed) {
    long now = session.nanoTime();
    OpenCall call;
    Throwable error;
    lock.lock();
    try {
      seesResults = true;
      call = tools.take(request);
      error = toolErrors.remove(request);
    } finally {
      lock.unlock();
    }
    Outcome outcome = ToolEvents.outcome(failed, contents);
    if (call == null) {
      result(recordCall(request), contents, attributes, outcome, null, UNMEASURED);
      return false;
    }
    result(call, contents, attributes, outcome, error, call.millis(now));
    return true;
  }

  /** Records that a tool threw, in place of its result, or a gap if its call was not recorded. */
  void toolThrew(ToolExecutionRequest request, Throwable error) {
    long now = session.nanoTime();
    OpenCall call;
    lock.lock();
    try {
      seesResults = true;
      call = tools.take(request);
    } finally {
      lock.unlock();
    }
    String callId = call == null ? null : call.id();
    if (callId != null) {
      stopRunning(callId);
    }
    long latencyMillis = call == null ? UNMEASURED : call.millis(now);
    session.result("ToolResult", callId, id -> ToolEvents.failed(id, error, latencyMillis));
  }

  /**
   * Records the output of a tool when the agent continues after it, unless callbacks report
   * results. Returns whether the result was seen before.
   */
  boolean toolExecuted(ToolExecutionRequest request, List<Content> contents) {
    OpenCall call;
    Throwable error;
    lock.lock();
    try {
      if (seesResults) {
        return true;
      }
      call = tools.take(request);
      error = toolErrors.remove(request);
    } finally {
      lock.unlock();
    }
    OpenCall known = call == null ? recordCall(request) : call;
    Outcome outcome = error == null ? Outcome.NONE : ToolEvents.outcome(true, contents);
    result(known, contents, Map.of(), outcome, error, UNMEASURED);
    if (error == null) {
      session.leaveGap(
          "ToolResult: unknown whether the tool failed, because the callback was replaced");
    }
    return false;
  }

  private OpenCall recordCall(ToolExecutionRequest request) {
    String id = session.call(() -> ToolEvents.call(request));
    return new OpenCall(request, id, session.nanoTime());
  }

  private void result(
      OpenCall call,
      List<Content> contents,
      Map<String, Object> attributes,
      Outcome outcome,
      @Nullable Throwable error,
      long latencyMillis) {
    if (call.id() != null) {
      stopRunning(call.id());
    }
    session.result(
        "ToolResult",
        call.id(),
        id -> ToolEvents.withException(
            ToolEvents.result(id, contents, attributes, latencyMillis).withOutcome(outcome),
            error));
  }

  /** Ends the tool of a call, or all tools if the id is null: an agent is not started by it. */
  private void stopRunning(@Nullable String id) {
    lock.lock();
    try {
      running.removeIf(call -> {
        boolean ends = id == null || call.id().equals(id);
        if (ends) {
          call.end();
        }
        return ends;
      });
    } finally {
      lock.unlock();
    }
  }

  /** Records that the service returned; the summary of the session is its final answer. */
  void completed(Optional<Object> returned) {
    stopRunning(null);
    AiMessage newest;
    lock.lock();
    try {
      newest = newestAnswer;
    } finally {
      lock.unlock();
    }
    session.end(() -> SessionEnd.of(Status.SUCCESS)
        .withSummary(FinalAnswer.summary(returned.orElse(null), newest)));
  }

  /**
   * Records that the service failed. A single open call is the cause; of several open calls it is
   * unknown which one failed. An interrupt of the service is not a failure of its tools, which
   * continue.
   */
  void failed(Throwable error) {
    long now = session.nanoTime();
    stopRunning(null);
    OpenCall model = null;
    OpenCall tool = null;
    lock.lock();
    try {
      OpenCall newest = newestRequest == null ? null : models.take(newestRequest);
      boolean isOfTool = tools.size() == 1 && !(error.getCause() instanceof InterruptedException);
      if (isOfTool && newest == null) {
        tool = tools.takeNewest();
      } else if (tools.size() == 0 && !(error instanceof GuardrailException)) {
        model = newest; // if a guardrail throws, the model has answered
      }
    } finally {
      lock.unlock();
    }
    if (tool != null && tool.id() != null) {
      String id = tool.id();
      long latencyMillis = tool.millis(now);
      session.emit("ToolResult", () -> ToolEvents.failed(id, error, latencyMillis));
    }
    if (model != null && model.id() != null) {
      String id = model.id();
      long latencyMillis = model.millis(now);
      StreamedText part = model.stream();
      session.emit("ModelResult", () -> ModelEvents.failed(id, error, latencyMillis, part));
    }
    session.end(() -> SessionEnd.of(Status.FAILED).withErrorMessage(EventTexts.message(error)));
  }

  /** Closes the session without an end. */
  void close() {
    stopRunning(null);
    session.close();
  }
}
