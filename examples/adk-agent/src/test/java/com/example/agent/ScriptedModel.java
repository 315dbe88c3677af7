package com.example.agent;

import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.genai.types.Content;
import com.google.genai.types.FinishReason;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.GenerateContentResponseUsageMetadata;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Flowable;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** A model that returns predefined answers in order. */
final class ScriptedModel extends BaseLlm {

  private final Queue<Part> answers;

  ScriptedModel(Part... answers) {
    super("scripted");
    this.answers = new ArrayDeque<>(List.of(answers));
  }

  /** The model of {@link ShopTest#QUESTION}. */
  static ScriptedModel forTheQuestion() {
    return new ScriptedModel(
        call("hours", Map.of("shop", "corner")),
        call("transfer_to_agent", Map.of("agent_name", "clerk")),
        call("order", Map.of("article", "tea")),
        Part.fromText("It is open from 9 to 17, and the tea is ordered."));
  }

  private static Part call(String tool, Map<String, Object> arguments) {
    return Part.builder()
        .functionCall(FunctionCall.builder().name(tool).args(arguments).build())
        .build();
  }

  @Override
  public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
    return Flowable.just(LlmResponse.builder()
        .content(Content.builder().role("model").parts(answers.remove()).build())
        .finishReason(new FinishReason(FinishReason.Known.STOP))
        .usageMetadata(GenerateContentResponseUsageMetadata.builder()
            .promptTokenCount(100 * request.contents().size())
            .candidatesTokenCount(20)
            .build())
        .build());
  }

  @Override
  public BaseLlmConnection connect(LlmRequest request) {
    throw new UnsupportedOperationException("live sessions");
  }
}
