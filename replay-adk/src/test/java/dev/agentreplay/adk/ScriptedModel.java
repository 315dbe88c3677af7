package dev.agentreplay.adk;

import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.genai.types.Content;
import com.google.genai.types.FinishReason;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.GenerateContentResponseUsageMetadata;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Flowable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A model with a script, which keeps its requests. */
final class ScriptedModel extends BaseLlm {

  final Queue<LlmRequest> requests = new ConcurrentLinkedQueue<>();
  private final Function<LlmRequest, Flowable<LlmResponse>> script;

  ScriptedModel(Function<LlmRequest, Flowable<LlmResponse>> script) {
    super("scripted");
    this.script = script;
  }

  /** A model that gives answers in turn, whatever the requests. */
  static ScriptedModel inTurn(LlmResponse... answers) {
    AtomicInteger turn = new AtomicInteger();
    return new ScriptedModel(request -> Flowable.just(answers[turn.getAndIncrement()]));
  }

  /** A model whose answer depends on the number of results that the request has. */
  static ScriptedModel byTurn(LlmResponse... answers) {
    return new ScriptedModel(request -> Flowable.just(answers[results(request)]));
  }

  /** A model that streams an answer in pieces. */
  static ScriptedModel streaming(String... pieces) {
    return new ScriptedModel(request -> {
      List<LlmResponse> responses = new ArrayList<>();
      for (String piece : pieces) {
        responses.add(text(piece).toBuilder().partial(true).finishReason(null).build());
      }
      responses.add(text(String.join("", pieces)));
      return Flowable.fromIterable(responses);
    });
  }

  /** The number of messages of a request with results of tools. */
  static int results(LlmRequest request) {
    return (int) request.contents().stream()
        .filter(content -> content.parts().orElse(List.of()).stream()
            .anyMatch(part -> part.functionResponse().isPresent()))
        .count();
  }

  /** The results in a request. */
  static List<FunctionResponse> responses(LlmRequest request) {
    return request.contents().stream()
        .flatMap(content -> content.parts().orElse(List.of()).stream())
        .flatMap(part -> part.functionResponse().stream())
        .toList();
  }

  static LlmResponse text(String text) {
    return response(Part.fromText(text));
  }

  static LlmResponse response(Part... parts) {
    return LlmResponse.builder()
        .content(Content.builder().role("model").parts(parts).build())
        .finishReason(new FinishReason(FinishReason.Known.STOP))
        .usageMetadata(GenerateContentResponseUsageMetadata.builder()
            .promptTokenCount(11)
            .candidatesTokenCount(7)
            .thoughtsTokenCount(3)
            .totalTokenCount(21)
            .build())
        .modelVersion("scripted-1")
        .build();
  }

  static LlmResponse call(String tool, Map<String, Object> arguments) {
    return response(functionCall(null, tool, arguments));
  }

  static Part functionCall(
      @org.jspecify.annotations.Nullable String id, String tool, Map<String, Object> arguments) {
    FunctionCall.Builder call = FunctionCall.builder().name(tool).args(arguments);
    if (id != null) {
      call.id(id);
    }
    return Part.builder().functionCall(call.build()).build();
  }

  @Override
  public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
    requests.add(request);
    return script.apply(request);
  }

  @Override
  public BaseLlmConnection connect(LlmRequest request) {
    throw new UnsupportedOperationException();
  }
}
