package dev.agentreplay.langchain4j;

import dev.agentreplay.langchain4j.OpenCalls.OpenCall;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.guardrail.GuardrailException;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.tool.ToolExecution;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One invocation of a service, from its start to its end. Safe for use by several threads. */
final class RecordedInvocation {

  private static final String CALL_IS_MISSING = "its call was not recorded";

  /** The latency of a tool where it is not known; a result without one would be refused. */
  private static final long UNMEASURED = 0;

  private final GuardedSession session;
  private final MessageJson json = new MessageJson();

  /** Guards what follows. */
  private final ReentrantLock lock = new ReentrantLock();

  private final OpenCalls tools = new OpenCalls();
  private final OpenCalls models = new OpenCalls();
  private @Nullable Object newestRequest;
  private boolean seesResults;

  RecordedInvocation(GuardedSession session) {
    this.session = session;
  }

  /** A model is asked. */
  void requestIssued(ChatRequest request, InvocationContext context) {
    String id = session.modelCall(
        newId -> ModelEvents.call(newId, request, context.defaultRequestParameters(), json));
    lock.lock();
    try {
      models.add(new OpenCall(request, id));
      newestRequest = request;
    } finally {
      lock.unlock();
    }
  }

  /** A model has answered. */
  void responseReceived(ChatRequest request, ChatResponse response) {
    long now = System.nanoTime();
    OpenCall call;
    lock.lock();
    try {
      call = models.take(request);
      if (call == null) { // a listener of someone else's may have been given a copy
        call = models.takeNewest();
      }
    } finally {
      lock.unlock();
    }
    if (call == null) {
      session.report("ModelResult", new IllegalStateException("no model call waits for it"));
      session.leaveGap("ModelResult: no model call waits for it");
    } else {
      answer(call, response, call.millis(now));
    }
  }

  /**
   * A guardrail has seen a response. That to a request which an earlier guardrail made is told
   * nowhere else, nor when it arrived; a guardrail sees it before others rewrite it.
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
    String id = call.id();
    if (id == null) {
      session.leaveGap("ModelResult: " + CALL_IS_MISSING);
    } else {
      session.emit("ModelResult", () -> ModelEvents.result(id, response, latencyMillis));
    }
  }

  /** A tool is about to be executed. */
  void beforeToolExecution(ToolExecutionRequest request) {
    OpenCall call = recordCall(request);
    lock.lock();
    try {
      tools.add(call);
    } finally {
      lock.unlock();
    }
  }

  /** A tool was executed. Returns whether its call was seen. */
  boolean afterToolExecution(ToolExecution execution) {
    long now = System.nanoTime();
    // what fails here will fail in the agent as well: the call waits for the error
    List<Content> contents = execution.resultContents();
    ToolExecutionRequest request = execution.request();
    OpenCall call;
    lock.lock();
    try {
      seesResults = true;
      call = tools.take(request);
    } finally {
      lock.unlock();
    }
    Outcome outcome = ToolEvents.outcome(execution.hasFailed(), contents);
    if (call == null) {
      result(recordCall(request), contents, outcome, UNMEASURED);
      return false;
    }
    result(call, contents, outcome, call.millis(now));
    return true;
  }

  /**
   * The agent goes on after a tool, of which nothing is said but what it returned. Returns whether
   * its result was seen before.
   */
  boolean toolExecuted(ToolExecutionRequest request, List<Content> contents) {
    OpenCall call;
    lock.lock();
    try {
      if (seesResults) {
        return true;
      }
      call = tools.take(request);
    } finally {
      lock.unlock();
    }
    result(call == null ? recordCall(request) : call, contents, Outcome.NONE, UNMEASURED);
    session.leaveGap("ToolResult: whether the tool failed, which only a callback is told");
    return false;
  }

  private OpenCall recordCall(ToolExecutionRequest request) {
    return new OpenCall(request, session.call(() -> ToolEvents.call(request)));
  }

  private void result(OpenCall call, List<Content> contents, Outcome outcome, long latencyMillis) {
    String id = call.id();
    if (id == null) {
      session.leaveGap("ToolResult: " + CALL_IS_MISSING);
    } else {
      session.emit(
          "ToolResult", () -> ToolEvents.result(id, contents, latencyMillis).withOutcome(outcome));
    }
  }

  /** The service has returned. */
  void completed() {
    session.end(() -> SessionEnd.of(Status.SUCCESS));
  }

  /**
   * The service has failed. Where one call waits, that is what failed; which of several did, is not
   * known. A service that is interrupted has not failed by its tools, which go on.
   */
  void failed(Throwable error) {
    long now = System.nanoTime();
    OpenCall model = null;
    OpenCall tool = null;
    lock.lock();
    try {
      OpenCall newest = newestRequest == null ? null : models.take(newestRequest);
      boolean isOfTool = tools.size() == 1 && !(error.getCause() instanceof InterruptedException);
      if (isOfTool && newest == null) {
        tool = tools.takeNewest();
      } else if (tools.size() == 0 && !(error instanceof GuardrailException)) {
        model = newest; // which has answered when a guardrail throws
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
      session.emit("ModelResult", () -> ModelEvents.failed(id, error, latencyMillis));
    }
    session.end(() -> SessionEnd.of(Status.FAILED).withErrorMessage(ToolEvents.message(error)));
  }

  /** Nothing more comes of the invocation, which has no end. */
  void close() {
    session.close();
  }
}
