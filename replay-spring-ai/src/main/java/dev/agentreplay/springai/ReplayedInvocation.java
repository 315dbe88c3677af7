package dev.agentreplay.springai;

import dev.agentreplay.engine.replay.agent.Execution;
import dev.agentreplay.engine.replay.agent.ReplayedLane;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/** An invocation that is replayed. */
final class ReplayedInvocation implements Invocation {

  /**
   * The responses of a stream.
   *
   * @param error the error that follows them; null if the stream completes
   */
  private record Responses(List<ChatResponse> all, @Nullable Throwable error) {

    Flux<ChatResponse> flux() {
      Flux<ChatResponse> flux = Flux.fromIterable(all);
      return error == null ? flux : flux.concatWith(Mono.error(error));
    }
  }

  private final ReplayedLane lane;
  private final boolean endsSession;
  private final Runnable onEnd;
  private final MessageJson json = new MessageJson();
  private final AtomicBoolean hasEnded = new AtomicBoolean();
  private volatile boolean hasCalledModel;

  /**
   * Creates the replay of an invocation.
   *
   * @param endsSession whether its end is that of the session
   * @param onEnd called once when the invocation has ended
   */
  ReplayedInvocation(ReplayedLane lane, boolean endsSession, Runnable onEnd) {
    this.lane = lane;
    this.onEnd = onEnd;
    this.endsSession = endsSession;
  }

  @Override
  public @Nullable ChatResponse call(ChatModel model, Prompt prompt) {
    try {
      return ask(model, prompt);
    } catch (Exception e) {
      throw RecordedExceptions.<RuntimeException>thrown(e);
    }
  }

  private @Nullable ChatResponse ask(ChatModel model, Prompt prompt) throws Exception {
    hasCalledModel = true;
    CurrentInvocation current = CurrentInvocation.ofThread();
    AtomicReference<@Nullable Execution<ChatResponse>> executed = new AtomicReference<>();
    ModelExecutor executor = (issued, live) -> {
      Execution<ChatResponse> execution;
      try {
        Prompt sampled = ParametersJson.sampled(prompt, issued.parameters());
        ChatResponse response = CurrentInvocation.call(current, () -> model.call(sampled));
        execution =
            new Execution<>(ModelEvents.result(issued.id(), response, null), response, null);
      } catch (Exception e) { // of the model, of any class
        execution = new Execution<>(failed(issued, e, new StreamedText()), null, e);
      }
      executed.set(execution);
      return (ModelResult) execution.event();
    };
    ModelCall call = ModelEvents.call("", model, prompt, json);
    ModelResult result =
        lane.execute(call, piece -> {}, RecordedChatModel.canBeCalled(model) ? executor : null);
    Execution<ChatResponse> execution = Execution.ifAnswer(executed.get(), result);
    if (execution != null) {
      if (execution.thrown() != null) {
        throw RecordedExceptions.<RuntimeException>thrown(execution.thrown());
      }
      return execution.value();
    }
    Failure error = result.finish().error();
    if (error != null) {
      throw RecordedExceptions.of(error);
    }
    return RecordedResponses.of(result);
  }

  private static ModelResult failed(ModelCall call, Throwable error, StreamedText part) {
    // the times of the pieces are left to the replay
    return ModelEvents.failed(call.id(), Failure.of(error), null, part).withTiming(Timing.NONE);
  }

  @Override
  public Flux<ChatResponse> stream(
      ChatModel model, Prompt prompt, @Nullable Flux<ChatResponse> source) {
    return Flux.deferContextual(
        context -> Mono.fromCallable(() -> ask(model, prompt, source, context))
            .subscribeOn(Schedulers.boundedElastic()) // because the replay blocks
            .flatMapMany(Responses::flux));
  }

  private Responses ask(
      ChatModel model, Prompt prompt, @Nullable Flux<ChatResponse> source, ContextView context)
      throws Exception {
    hasCalledModel = true;
    AtomicReference<@Nullable Execution<Responses>> executed = new AtomicReference<>();
    ModelExecutor executor = (issued, live) -> {
      StreamedText text = new StreamedText();
      List<ChatResponse> responses = new ArrayList<>();
      Execution<Responses> execution;
      try {
        Prompt sampled = ParametersJson.sampled(prompt, issued.parameters());
        // in the invocation, as the threads of the model are
        Flux<ChatResponse> opened = source == null || !sampled.equals(prompt)
            ? CurrentInvocation.call(CurrentInvocation.of(context), () -> model.stream(sampled))
            : source;
        RestoredThreads.restored(opened)
            .doOnNext(response -> {
              String piece = RecordedModelCall.text(response);
              responses.add(response);
              text.add(0, piece);
              if (!piece.isEmpty()) {
                live.accept(piece);
              }
            })
            .contextWrite(context)
            .blockLast();
        ModelResult event = RecordedModelCall.streamed(
                issued.id(), StreamedResponses.whole(responses, e -> {}), text, null)
            .withTiming(Timing.NONE);
        execution = new Execution<>(event, new Responses(responses, null), null);
      } catch (Exception e) { // of the model, of any class
        execution = new Execution<>(failed(issued, e, text), new Responses(responses, e), e);
      }
      executed.set(execution);
      return (ModelResult) execution.event();
    };
    List<String> pieces = new ArrayList<>();
    ModelCall call = ModelEvents.call("", model, prompt, json);
    ModelResult result =
        lane.execute(call, pieces::add, RecordedChatModel.canBeCalled(model) ? executor : null);
    Execution<Responses> execution = Execution.ifAnswer(executed.get(), result);
    if (execution != null && execution.value() != null) {
      return execution.value();
    }
    Failure error = result.finish().error();
    return error == null
        ? new Responses(RecordedResponses.stream(result, pieces), null)
        : new Responses(RecordedResponses.pieces(null, pieces), RecordedExceptions.of(error));
  }

  @Override
  public ToolExecutionResult executeToolCalls(
      ToolCallingManager manager, Prompt prompt, ChatResponse response) {
    if (ToolEvents.calling(response) == null) {
      return manager.executeToolCalls(prompt, response);
    }
    return new ReplayedToolCalls(lane, manager, prompt, response).execute();
  }

  @Override
  public boolean hasCalledModel() {
    return hasCalledModel;
  }

  @Override
  public void completed(Supplier<@Nullable String> text) {
    String summary;
    try {
      summary = RecordedInvocation.summary(text.get());
    } catch (RuntimeException e) { // of a response of any class
      summary = null;
    }
    end(SessionEnd.of(Status.SUCCESS).withSummary(summary));
  }

  @Override
  public void answeredUnwrapped(Supplier<@Nullable String> text) {
    if (lane.session().recorded() == null) {
      lane.scope().emit(RecordingGap.of(1).withReason(RecordedInvocation.UNWRAPPED));
      completed(text);
      return;
    }
    IllegalStateException refused =
        new IllegalStateException("not replayed: " + RecordedInvocation.UNWRAPPED);
    failed(refused);
    throw refused;
  }

  @Override
  public void failed(Throwable error) {
    try {
      end(SessionEnd.of(Status.FAILED).withErrorMessage(EventTexts.message(error)));
    } catch (RuntimeException e) { // of a replay that has stopped, which the ledger says
      if (e != error) {
        error.addSuppressed(e);
      }
    }
  }

  @Override
  public void cancelled() {
    end(SessionEnd.of(Status.CANCELLED));
  }

  @Override
  public boolean hasEnded() {
    return hasEnded.get();
  }

  private void end(SessionEnd end) {
    if (hasEnded.compareAndSet(false, true)) {
      onEnd.run();
      lane.release();
      if (endsSession) {
        lane.end(end);
      }
    }
  }
}
