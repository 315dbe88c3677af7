package dev.agentreplay.adk;

import com.google.adk.agents.BaseAgent;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.genai.types.Content;
import com.google.genai.types.GenerateContentConfig;
import dev.agentreplay.adk.AgentLanes.Lane;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.agent.Execution;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Notification;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Issues the model calls of a replay. */
final class ReplayedAnswers {

  /**
   * The answer of a model.
   *
   * @param responses its whole responses; empty if it failed
   * @param error the error; null if it did not fail
   * @param isThrownByCall whether the model threw it when it was called, not in its answer
   */
  record Answer(List<LlmResponse> responses, @Nullable Throwable error, boolean isThrownByCall) {}

  private final AdkReplayer replayer;

  ReplayedAnswers(AdkReplayer replayer) {
    this.replayer = replayer;
  }

  /**
   * Issues a request, and waits for its answer.
   *
   * @param model returns the model, where the replay executes it
   * @param pieces receives the pieces of an answer that is, or was, streamed
   * @throws Exception an exception of the replay
   */
  Answer ask(
      Lane lane,
      BaseAgent agent,
      LlmRequest request,
      boolean streams,
      Supplier<BaseLlm> model,
      Consumer<String> pieces)
      throws Exception {
    AgentScope scope = replayer.scope(lane);
    Settings tools =
        replayer.facts().hasTools() ? replayer.requests().tools(request, agent, lane) : null;
    if (tools != null) {
      replayer.scope(Lane.MAIN).settings(tools);
    }
    ModelCall call = replayer.requests().call("", request, lane);
    AtomicReference<@Nullable Execution<List<LlmResponse>>> executed = new AtomicReference<>();
    ModelResult result = scope.execute(call, pieces, (issued, live) -> {
      Execution<List<LlmResponse>> execution =
          execute(issued, lane, agent, model.get(), edited(request, call, issued), streams, live);
      executed.set(execution);
      return (ModelResult) execution.event();
    });
    Execution<List<LlmResponse>> execution = Execution.ifAnswer(executed.get(), result);
    if (execution != null) {
      List<LlmResponse> value = execution.value();
      return new Answer(
          value == null ? List.of() : value,
          execution.thrown(),
          AnswerForms.isThrownByCall(execution.event()));
    }
    Exception thrown = AnswerForms.thrown(result);
    return thrown == null
        ? new Answer(AnswerForms.restoredAll(result), null, false)
        : new Answer(List.of(), thrown, AnswerForms.isThrownByCall(result));
  }

  /** Calls a model; the times of its pieces are left to the replay. */
  private static Execution<List<LlmResponse>> execute(
      ModelCall call,
      Lane lane,
      BaseAgent agent,
      BaseLlm model,
      LlmRequest request,
      boolean streams,
      Consumer<String> pieces) {
    StreamedText stream = new StreamedText();
    List<LlmResponse> answers = new ArrayList<>();
    AtomicReference<@Nullable LlmResponse> newestPart = new AtomicReference<>();
    Throwable error;
    boolean isThrownByCall = true;
    try {
      Flowable<LlmResponse> responses = model.generateContent(request, streams);
      isThrownByCall = false;
      Notification<LlmResponse> end = responses
          .doOnNext(response -> {
            if (AnswerForms.isPartial(response)) {
              newestPart.set(response);
              stream.add(0, AnswerForms.piece(response));
              pieces.accept(AnswerForms.piece(response));
            } else {
              answers.add(response);
            }
          })
          .ignoreElements()
          .<LlmResponse>materialize()
          .blockingGet();
      error = end.getError();
    } catch (RuntimeException e) { // such as an interrupt
      error = e;
    }
    if (error != null) {
      ModelResult failed = AnswerForms.failed(call.id(), error, stream, lane, isThrownByCall)
          .withTiming(Timing.NONE);
      return new Execution<>(failed, null, error);
    }
    LlmResponse part = newestPart.get();
    if (answers.isEmpty() && part != null) {
      answers.add(stream.finish() ? AnswerForms.ofPieces(stream.text(), part) : part);
    }
    List<LlmResponse> stated = answers.isEmpty() ? List.of(LlmResponse.builder().build()) : answers;
    return new Execution<>(AnswerForms.result(call.id(), stated, lane, agent), answers, null);
  }

  /** The request with the changes of a replay to its prompt and its parameters. */
  private static LlmRequest edited(LlmRequest request, ModelCall call, ModelCall issued) {
    LlmRequest.Builder edited = request.toBuilder();
    if (!issued.parameters().equals(call.parameters())) {
      GenerateContentConfig config =
          request.config().orElseGet(() -> GenerateContentConfig.builder().build());
      JsonObject form = GenAiJson.form(config).value().asObject();
      for (String name : call.parameters().json().names()) {
        form = form.without(name);
      }
      for (String name : issued.parameters().json().names()) {
        form = form.with(name, issued.parameters().json().get(name));
      }
      GenerateContentConfig.Builder changed =
          GenerateContentConfig.fromJson(GenAiJson.camel(form).toString()).toBuilder();
      config.httpOptions().ifPresent(changed::httpOptions);
      config.systemInstruction().ifPresent(changed::systemInstruction);
      edited.config(changed.build());
    }
    if (messages(issued) instanceof JsonArray changed && !changed.equals(messages(call))) {
      edited.contents(changed.stream()
          .map(message -> Content.fromJson(GenAiJson.camel(message).toString()))
          .toList());
    }
    return edited.build();
  }

  private static @Nullable JsonValue messages(ModelCall call) {
    return call.prompt().value() instanceof JsonObject prompt ? prompt.get("messages") : null;
  }
}
