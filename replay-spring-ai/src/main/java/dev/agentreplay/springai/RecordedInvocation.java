package dev.agentreplay.springai;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.text.Excerpt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import reactor.core.publisher.Flux;

/** An invocation that is recorded. Whatever fails in the recording, the agent is not affected. */
final class RecordedInvocation implements Invocation {

  static final int MAX_SUMMARY = 2_000;

  static final String UNWRAPPED =
      "the chat client was answered without a call of a wrapped model; its model is not wrapped:"
          + " build it with SpringAiCalls.wrap(model)";

  private final GuardedSession session;
  private final RecordedCounts counts;
  private final AtomicBoolean isUnwrappedReported;
  private final Runnable onEnd;
  private final MessageJson json = new MessageJson();
  private final Set<RecordedModelCall> modelCalls = ConcurrentHashMap.newKeySet();
  private final RecordedState state = new RecordedState();
  private volatile boolean hasCalledModel;

  /**
   * Creates the recording of an invocation.
   *
   * @param session the session, or the lane in it, that the invocation is recorded into
   * @param isUnwrappedReported whether a model that is not wrapped was reported already
   * @param onEnd called once when the invocation has ended
   */
  RecordedInvocation(
      GuardedSession session,
      RecordedCounts counts,
      AtomicBoolean isUnwrappedReported,
      Runnable onEnd) {
    this.session = session;
    this.isUnwrappedReported = isUnwrappedReported;
    this.counts = counts;
    this.onEnd = onEnd;
  }

  @Override
  public @Nullable ChatResponse call(ChatModel model, Prompt prompt) {
    RecordedModelCall call = begin(model, prompt);
    ChatResponse response;
    try {
      response = model.call(prompt);
    } catch (Throwable e) {
      call.failed(Failure.of(e));
      throw e;
    }
    call.answered(response);
    return response;
  }

  @Override
  public Flux<ChatResponse> stream(
      ChatModel model, Prompt prompt, @Nullable Flux<ChatResponse> source) {
    RecordedModelCall call = begin(model, prompt);
    Flux<ChatResponse> stream;
    try {
      stream = source == null ? model.stream(prompt) : source;
    } catch (Throwable e) {
      call.failed(Failure.of(e));
      throw e;
    }
    return stream
        .doOnNext(call::piece)
        .doOnComplete(call::completed)
        .doOnError(error -> call.failed(Failure.of(error)))
        .doOnCancel(call::cancelled);
  }

  private RecordedModelCall begin(ChatModel model, Prompt prompt) {
    hasCalledModel = true;
    RecordedModelCall begun = state.ifOpen(() -> {
      String id = session.modelCall(newId -> ModelEvents.call(newId, model, prompt, json));
      if (id != null) {
        counts.modelCall();
      }
      RecordedModelCall call = new RecordedModelCall(session, state, id, modelCalls::remove);
      modelCalls.add(call);
      return call;
    });
    // after the end the agent has its answer, so that the call does not belong to it
    return begun == null ? RecordedModelCall.none(session, state) : begun;
  }

  @Override
  public ToolExecutionResult executeToolCalls(
      ToolCallingManager manager, Prompt prompt, ChatResponse response) {
    AssistantMessage message = ToolEvents.calling(response);
    if (message == null || state.hasEnded()) {
      return manager.executeToolCalls(prompt, response);
    }
    RecordedToolCalls calls = new RecordedToolCalls(session, counts, message.getToolCalls(), state);
    Prompt recorded = calls.wrap(prompt);
    ToolExecutionResult result;
    try {
      result = manager.executeToolCalls(recorded, response);
    } catch (Throwable e) {
      calls.failed(e);
      throw e;
    }
    calls.completed(result);
    return result;
  }

  @Override
  public boolean hasCalledModel() {
    return hasCalledModel;
  }

  @Override
  public void completed(Supplier<@Nullable String> text) {
    end(() -> SessionEnd.of(Status.SUCCESS).withSummary(summary(guarded(text))));
  }

  @Override
  public void answeredUnwrapped(Supplier<@Nullable String> text) {
    if (isUnwrappedReported.compareAndSet(false, true)) {
      session.report("ModelCall", new IllegalStateException(UNWRAPPED));
    }
    session.leaveGap("ModelCall: " + UNWRAPPED);
    completed(text);
  }

  /** The text of an answer; null if it cannot be read, so that the session has an end. */
  private @Nullable String guarded(Supplier<@Nullable String> text) {
    try {
      return text.get();
    } catch (Throwable e) {
      RecordingFailures.rethrowIfFatal(e);
      session.report("SessionEnd", e);
      return null;
    }
  }

  /** The text of an answer, its beginning if it is long; null if there is none. */
  static @Nullable String summary(@Nullable String text) {
    if (text == null || text.length() <= MAX_SUMMARY) {
      return text == null ? null : EventTexts.wellFormed(text);
    }
    return EventTexts.wellFormed(Excerpt.beginning(text, MAX_SUMMARY)) + "…";
  }

  @Override
  public void failed(Throwable error) {
    end(() -> SessionEnd.of(Status.FAILED).withErrorMessage(EventTexts.message(error)));
  }

  @Override
  public void cancelled() {
    end(
        RecordedModelCall::cancelledByEnd,
        () -> session.end(() -> SessionEnd.of(Status.CANCELLED)));
  }

  @Override
  public boolean hasEnded() {
    return state.hasEnded();
  }

  private void end(Supplier<SessionEnd> end) {
    end(RecordedModelCall::abandoned, () -> session.end(end));
  }

  /** Closes the session without an end. */
  void close() {
    end(RecordedModelCall::abandoned, session::close);
  }

  /**
   * Ends the invocation.
   *
   * @param running handles a model call that has no result: a cancellation reaches a model after
   *     its caller, and an advisor may call one that answers after the client has
   */
  private void end(Consumer<RecordedModelCall> running, Runnable end) {
    state.end(() -> {
      modelCalls.forEach(running);
      end.run();
      onEnd.run();
    });
  }
}
