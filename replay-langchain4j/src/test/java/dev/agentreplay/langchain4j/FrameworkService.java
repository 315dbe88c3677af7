package dev.agentreplay.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.observability.api.event.AiServiceCompletedEvent;
import dev.langchain4j.observability.api.event.AiServiceErrorEvent;
import dev.langchain4j.observability.api.event.AiServiceEvent;
import dev.langchain4j.observability.api.event.AiServiceRequestIssuedEvent;
import dev.langchain4j.observability.api.event.AiServiceResponseReceivedEvent;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.observability.api.event.ToolExecutedEvent;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A service that a framework implements itself, in the way of Quarkus: only the first request is
 * reported as issued, and an exception of a tool is the text that the model gets.
 *
 * @param model the model, wrapped or not
 * @param tool runs a tool
 * @param events receives the events
 */
record FrameworkService(
    AiServiceCalls calls,
    ChatModel model,
    Function<ToolExecutionRequest, String> tool,
    Consumer<AiServiceEvent> events)
    implements Assistant {

  /** A service whose model is wrapped, and whose events are all observed. */
  static FrameworkService of(
      AiServiceCalls calls, ChatModel model, Function<ToolExecutionRequest, String> tool) {
    return new FrameworkService(calls, calls.wrap(model), tool, calls::on);
  }

  @Override
  public String chat(String message) {
    InvocationContext context = InvocationContext.builder()
        .invocationId(UUID.randomUUID())
        .interfaceName("com.example.Assistant")
        .methodName("chat")
        .timestamp(Instant.EPOCH)
        .build();
    try {
      String answer = answer(context, UserMessage.from(message));
      events.accept(AiServiceCompletedEvent.builder()
          .invocationContext(context)
          .result(answer)
          .build());
      return answer;
    } catch (RuntimeException e) {
      events.accept(
          AiServiceErrorEvent.builder().invocationContext(context).error(e).build());
      throw e;
    }
  }

  private String answer(InvocationContext context, UserMessage message) {
    events.accept(AiServiceStartedEvent.builder()
        .invocationContext(context)
        .userMessage(message)
        .build());
    List<ChatMessage> messages = new ArrayList<>(List.of(message));
    ChatRequest request = ChatRequest.builder().messages(messages).build();
    events.accept(AiServiceRequestIssuedEvent.builder()
        .invocationContext(context)
        .request(request)
        .build());
    while (true) {
      ChatResponse response = model.chat(request);
      events.accept(AiServiceResponseReceivedEvent.builder()
          .invocationContext(context)
          .request(request)
          .response(response)
          .build());
      AiMessage answer = response.aiMessage();
      if (!answer.hasToolExecutionRequests()) {
        return answer.text();
      }
      messages.add(answer);
      for (ToolExecutionRequest each : answer.toolExecutionRequests()) {
        messages.add(ToolExecutionResultMessage.from(each, run(context, each)));
      }
      request = ChatRequest.builder().messages(messages).build();
    }
  }

  private String run(InvocationContext context, ToolExecutionRequest request) {
    String text;
    try {
      text = calls
          .call(request, context, (given, at) -> ToolExecutionResult.builder()
              .resultText(tool.apply(given))
              .build())
          .resultText();
    } catch (RuntimeException e) {
      text = String.valueOf(e.getMessage());
    }
    events.accept(ToolExecutedEvent.builder()
        .invocationContext(context)
        .request(request)
        .resultText(text)
        .build());
    return text;
  }
}
