package dev.agentreplay.springai;

import dev.agentreplay.engine.replay.agent.Execution;
import dev.agentreplay.engine.replay.agent.ReplayedLane;
import dev.agentreplay.model.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import reactor.util.context.ContextView;

/** The tool calls of one answer that are replayed. Not safe for use by several threads. */
final class ReplayedToolCalls {

  /** The text of a tool for the model, or for the caller of the chat client. */
  private record Answer(String text, boolean isDirect) {}

  private final ReplayedLane lane;
  private final ToolCallingManager manager;
  private final Prompt prompt;
  private final ChatResponse response;
  private final AssistantMessage message;
  private final List<ToolResponse> responses = new ArrayList<>();

  ReplayedToolCalls(
      ReplayedLane lane, ToolCallingManager manager, Prompt prompt, ChatResponse response) {
    this.lane = lane;
    this.manager = manager;
    this.prompt = prompt;
    this.response = response;
    this.message = Objects.requireNonNull(ToolEvents.calling(response));
  }

  /** Calls each tool as the replay says. */
  ToolExecutionResult execute() {
    boolean isDirect = true;
    for (int i = 0; i < message.getToolCalls().size(); i++) {
      Answer answer;
      try {
        answer = call(i);
      } catch (Exception e) {
        throw RecordedExceptions.<RuntimeException>thrown(e);
      }
      add(i, answer.text());
      isDirect &= answer.isDirect();
    }
    return result(isDirect);
  }

  private void add(int index, String text) {
    ToolCall request = message.getToolCalls().get(index);
    responses.add(new ToolResponse(request.id(), request.name(), text));
  }

  private ToolExecutionResult result(boolean isDirect) {
    List<Message> history = new ArrayList<>(prompt.getInstructions());
    history.add(message);
    history.add(ToolResponseMessage.builder().responses(List.copyOf(responses)).build());
    return ToolExecutionResult.builder()
        .conversationHistory(history)
        .returnDirect(isDirect)
        .build();
  }

  private Answer call(int index) throws Exception {
    List<ToolCall> requests = message.getToolCalls();
    CurrentInvocation current = CurrentInvocation.ofThread();
    ContextView context = ToolCallReactiveContextHolder.getContext();
    AtomicReference<@Nullable Execution<Answer>> executed = new AtomicReference<>();
    ToolResult result = lane.execute(
        ToolEvents.call(requests.get(index)), ToolEvents.number(requests, index), issued -> {
          Execution<Answer> execution;
          ContextView outer = ToolCallReactiveContextHolder.getContext();
          ToolCallReactiveContextHolder.setContext(context);
          try {
            execution = CurrentInvocation.call(current, () -> executed(issued.id(), index));
          } finally {
            if (outer.isEmpty()) {
              ToolCallReactiveContextHolder.clearContext();
            } else { // the replay called the tool in the thread of the agent
              ToolCallReactiveContextHolder.setContext(outer);
            }
          }
          executed.set(execution);
          return (ToolResult) execution.event();
        });
    Execution<Answer> execution = Execution.ifAnswer(executed.get(), result);
    Integer limit = ToolEvents.limit(result);
    if (limit != null) {
      add(index, ToolEvents.output(result));
      throw LimitExceptions.of(requests.get(index).name(), limit, result(false));
    }
    Throwable thrown = execution == null
        ? ToolEvents.thrown(result, requests.get(index).name())
        : execution.thrown();
    if (thrown != null) {
      throw RecordedExceptions.<RuntimeException>thrown(thrown);
    }
    return execution == null || execution.value() == null
        ? new Answer(ToolEvents.output(result), ToolEvents.isDirect(result))
        : execution.value();
  }

  /** Lets the manager call one tool, with its own limits and error handling. */
  private Execution<Answer> executed(String id, int index) {
    NotedErrors noted = new NotedErrors();
    try {
      ToolExecutionResult result =
          manager.executeToolCalls(noted.wrap(promptAt(index)), only(index));
      String text = ToolEvents.lastResponse(result);
      boolean isDirect = result.returnDirect();
      return new Execution<>(
          ToolEvents.result(id, text, noted.error(), isDirect, null),
          new Answer(text == null ? "" : text, isDirect),
          null);
    } catch (Exception e) { // of a tool, of any class
      return new Execution<>(ToolEvents.failed(id, e, null), null, e);
    }
  }

  /** The prompt with the calls before one, which the limits of the manager count. */
  private Prompt promptAt(int index) {
    if (index == 0) {
      return prompt;
    }
    List<Message> messages = new ArrayList<>(prompt.getInstructions());
    messages.add(calling(message.getToolCalls().subList(0, index)));
    messages.add(ToolResponseMessage.builder().responses(List.copyOf(responses)).build());
    return new Prompt(messages, prompt.getOptions());
  }

  private ChatResponse only(int index) {
    return message.getToolCalls().size() == 1
        ? response
        : new ChatResponse(
            List.of(new Generation(calling(List.of(message.getToolCalls().get(index))))),
            response.getMetadata());
  }

  private AssistantMessage calling(List<ToolCall> requests) {
    return AssistantMessage.builder()
        .content(message.getText())
        .properties(message.getMetadata())
        .toolCalls(List.copyOf(requests))
        .media(message.getMedia())
        .build();
  }
}
