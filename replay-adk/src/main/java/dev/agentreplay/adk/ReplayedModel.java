package dev.agentreplay.adk;

import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.agentreplay.adk.ReplayedAnswers.Answer;
import io.reactivex.rxjava3.core.BackpressureStrategy;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.FlowableEmitter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;

/** A model whose calls are replayed. */
final class ReplayedModel extends BaseLlm {

  private final AdkReplayer replayer;
  private final BaseLlm model;

  ReplayedModel(AdkReplayer replayer, BaseLlm model) {
    super(model.model());
    this.replayer = replayer;
    this.model = model;
  }

  @Override
  public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
    return Flowable.<LlmResponse>create(
            emitter -> answer(request, stream, emitter), BackpressureStrategy.BUFFER)
        .compose(Waiting::onThreadThatMayWait);
  }

  private void answer(LlmRequest request, boolean stream, FlowableEmitter<LlmResponse> emitter)
      throws Exception {
    PendingModelCall call = call(request);
    AtomicBoolean hasPieces = new AtomicBoolean();
    Answer answer = new ReplayedAnswers(replayer)
        .ask(call.lane(), call.agent(), request, stream, () -> model, piece -> {
          if (stream && !piece.isEmpty()) {
            hasPieces.set(true);
            emitter.onNext(partial(piece));
          }
        });
    answer.responses().stream()
        .filter(response -> !AnswerForms.isPartial(response) || !hasPieces.get())
        .forEach(emitter::onNext);
    if (answer.error() == null) {
      emitter.onComplete();
    } else {
      emitter.tryOnError(answer.error());
    }
  }

  private static LlmResponse partial(String piece) {
    return LlmResponse.builder()
        .content(Content.builder().role("model").parts(Part.fromText(piece)).build())
        .partial(true)
        .build();
  }

  private PendingModelCall call(LlmRequest request) {
    if (request.tools() instanceof PendingModelCall.Tools tools) {
      replayer.pending().remove(tools.call().id());
      return tools.call();
    }
    Collection<PendingModelCall> calls = replayer.pending().values();
    if (calls.size() == 1) { // a callback has replaced the tools
      PendingModelCall only = calls.iterator().next();
      calls.clear();
      return only;
    }
    throw new IllegalStateException(
        "a replayed model must be called by an agent that runs with AdkReplayer.plugin()");
  }

  @Override
  public BaseLlmConnection connect(LlmRequest request) {
    return model.connect(request);
  }
}
