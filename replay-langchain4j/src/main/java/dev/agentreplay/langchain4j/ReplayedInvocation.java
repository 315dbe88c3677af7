package dev.agentreplay.langchain4j;

import dev.agentreplay.engine.replay.agent.Execution;
import dev.agentreplay.engine.replay.agent.ReplayedLane;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolResult;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The replay of one invocation of a service, from its start to its end. Safe for use by several
 * threads.
 */
final class ReplayedInvocation {

  /**
   * The answer of a model.
   *
   * @param response the response; null if the call failed
   * @param error the error; null if the call did not fail
   */
  record Answer(@Nullable ChatResponse response, @Nullable Throwable error) {

    /** The error of a call that failed. */
    Throwable failure() {
      return error == null ? new IllegalStateException("the model returned null") : error;
    }
  }

  /** A model that can be called. */
  interface LiveModel {

    /**
     * Calls the model, and passes the pieces of its answer on.
     *
     * @param parameters the parameters of the call, as the replay gives them
     */
    Answer call(Parameters parameters, Consumer<String> pieces) throws InterruptedException;
  }

  private final ReplayedLane lane;
  private final MessageJson json = new MessageJson();
  private volatile @Nullable AiMessage newestAnswer;

  ReplayedInvocation(ReplayedLane lane) {
    this.lane = lane;
  }

  /** The session, or the lane in it, that this invocation is replayed in. */
  ReplayedLane lane() {
    return lane;
  }

  /**
   * Issues a request to a model.
   *
   * @param defaults the properties of the model that the request does not state
   * @param pieces receives the pieces of an answer that is, or was, streamed
   * @param model the model; null if there is none
   */
  Answer ask(
      ChatRequest request,
      ModelDefaults defaults,
      Consumer<String> pieces,
      @Nullable LiveModel model)
      throws Exception {
    ModelCall call = ModelEvents.call("", request, defaults, json);
    if (model == null) {
      return answer(restored(lane.execute(call, pieces, null)));
    }
    AtomicReference<@Nullable Execution<ChatResponse>> executed = new AtomicReference<>();
    ModelExecutor executor = (issued, live) -> {
      Execution<ChatResponse> execution = execute(issued, model, live);
      executed.set(execution);
      return (ModelResult) execution.event();
    };
    ModelResult result = lane.execute(call, pieces, executor);
    Execution<ChatResponse> execution = Execution.ifAnswer(executed.get(), result);
    return answer(
        execution == null ? restored(result) : new Answer(execution.value(), execution.thrown()));
  }

  private Answer answer(Answer answer) {
    if (answer.response() != null) {
      newestAnswer = answer.response().aiMessage();
    }
    return answer;
  }

  /** Calls a model; the times of its pieces are left to the replay. */
  private static Execution<ChatResponse> execute(
      ModelCall call, LiveModel model, Consumer<String> pieces) throws InterruptedException {
    StreamedText part = new StreamedText();
    Answer answer = model.call(call.parameters(), piece -> {
      part.add(0, piece);
      pieces.accept(piece);
    });
    ChatResponse response = answer.response();
    if (response != null) {
      return new Execution<>(ModelEvents.result(call.id(), response, null), response, null);
    }
    Throwable error = answer.failure();
    ModelResult event = ModelEvents.failed(call.id(), error, null, part).withTiming(Timing.NONE);
    return new Execution<>(event, null, error);
  }

  private static Answer restored(ModelResult result) {
    Failure error = result.finish().error();
    return error == null
        ? new Answer(RecordedResponses.of(result), null)
        : new Answer(null, RecordedExceptions.of(error));
  }

  /**
   * Issues the call of a tool.
   *
   * @param tool the tool, with its error handlers
   * @param hasObject whether the tool returns an object in addition to its text
   * @param onExecution called if the tool was executed
   * @throws Exception the exception that the tool or its error handler threw, also if recorded, or
   *     that of the replay
   */
  ToolExecutionResult call(
      ToolExecutionRequest request,
      Callable<ToolReturn> tool,
      boolean hasObject,
      Runnable onExecution)
      throws Exception {
    AtomicReference<@Nullable Execution<ToolExecutionResult>> executed = new AtomicReference<>();
    ToolResult result =
        lane.execute(ToolEvents.call(request), ToolEvents.number(request, newestAnswer), issued -> {
          onExecution.run();
          Execution<ToolExecutionResult> execution = execute(issued.id(), tool);
          executed.set(execution);
          return (ToolResult) execution.event();
        });
    Execution<ToolExecutionResult> execution = Execution.ifAnswer(executed.get(), result);
    Throwable thrown = execution == null ? RecordedToolResults.thrown(result) : execution.thrown();
    if (thrown != null) {
      throw RecordedExceptions.<RuntimeException>thrown(thrown);
    }
    ToolExecutionResult value = execution == null ? null : execution.value();
    return value == null ? RecordedToolResults.of(result, hasObject) : value;
  }

  private static Execution<ToolExecutionResult> execute(String id, Callable<ToolReturn> tool) {
    try {
      ToolReturn returned = tool.call();
      ToolExecutionResult value = returned.value();
      ToolResult event = ToolEvents.result(id, value.resultContents(), value.attributes(), null)
          .withOutcome(ToolEvents.outcome(value.isError(), value.resultContents()));
      return new Execution<>(ToolEvents.withException(event, returned.handled()), value, null);
    } catch (Exception e) { // of the tool's error handler, or of its result
      return new Execution<>(ToolEvents.failed(id, e, null), null, e);
    }
  }

  /** The end of a session whose service returned. */
  SessionEnd completed(Optional<Object> returned) {
    return SessionEnd.of(Status.SUCCESS)
        .withSummary(FinalAnswer.summary(returned.orElse(null), newestAnswer));
  }

  /** The end of a session whose service failed. */
  static SessionEnd failed(Throwable error) {
    return SessionEnd.of(Status.FAILED).withErrorMessage(EventTexts.message(error));
  }
}
