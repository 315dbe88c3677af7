package dev.agentreplay.springai;

import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

/** A model whose calls are recorded or replayed. */
final class WrappedChatModel implements ChatModel {

  private final SpringAiCalls calls;
  private final ChatModel model;

  WrappedChatModel(SpringAiCalls calls, ChatModel model) {
    this.calls = calls;
    this.model = model;
  }

  @Override
  @SuppressWarnings("NullAway") // a model that returns null is not changed
  public ChatResponse call(Prompt prompt) {
    Invocation current = calls.invocation(CurrentInvocation.ofThread());
    if (current != null) {
      return current.call(model, prompt);
    }
    CurrentInvocation own = calls.beginOutside(prompt);
    if (own == null) {
      return model.call(prompt);
    }
    ChatResponse response;
    try {
      response = CurrentInvocation.call(own, () -> own.invocation().call(model, prompt));
    } catch (Throwable e) {
      own.invocation().failed(e);
      throw e;
    }
    own.invocation().completed(response == null ? null : RecordedModelCall.text(response));
    return response;
  }

  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    // as the model does without a wrapper: it may throw here, and is subscribed to later
    Flux<ChatResponse> source = calls.opensStreams() ? model.stream(prompt) : null;
    return Flux.deferContextual(context -> {
      Invocation current = calls.invocation(CurrentInvocation.of(context));
      if (current != null) {
        return current.stream(model, prompt, source);
      }
      CurrentInvocation own = calls.beginOutside(prompt);
      if (own == null) {
        return source == null ? model.stream(prompt) : source;
      }
      return calls.bounded(
          own, () -> own.invocation().stream(model, prompt, source), RecordedModelCall::text);
    });
  }

  @Override
  public ChatOptions getOptions() {
    return model.getOptions();
  }

  @Override
  @SuppressWarnings("removal")
  public ChatOptions getDefaultOptions() {
    return model.getDefaultOptions();
  }

  @Override
  public String toString() {
    return model.toString();
  }
}
