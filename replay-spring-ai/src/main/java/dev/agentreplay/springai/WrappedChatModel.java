package dev.agentreplay.springai;

import dev.agentreplay.springai.CurrentInvocation.Work;
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

  /** Whether some calls wrapped the model. */
  @SuppressWarnings("ReferenceEquality") // wrappers are compared by identity
  boolean isOf(SpringAiCalls wrappers) {
    return calls == wrappers;
  }

  /** The model. */
  ChatModel model() {
    return model;
  }

  @Override
  @SuppressWarnings("NullAway") // a model that returns null is not changed
  public ChatResponse call(Prompt prompt) {
    CurrentInvocation innermost = CurrentInvocation.ofThread();
    CurrentInvocation current = CurrentInvocation.by(calls, innermost);
    if (current != null && current.work() == Work.MODEL) {
      return model.call(prompt);
    }
    if (current != null && current.work() == Work.CLIENT) {
      return CurrentInvocation.call(
          current.at(Work.MODEL, innermost), () -> current.invocation().call(model, prompt));
    }
    CurrentInvocation own = calls.beginOutside(prompt, innermost);
    if (own == null) {
      return model.call(prompt);
    }
    ChatResponse response;
    try {
      response = CurrentInvocation.call(
          own.at(Work.MODEL, innermost), () -> own.invocation().call(model, prompt));
    } catch (Throwable e) {
      own.invocation().failed(e);
      throw e;
    }
    own.invocation().completed(() -> response == null ? null : RecordedModelCall.text(response));
    return response;
  }

  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    // as the model does without a wrapper: it may throw here, and is subscribed to later
    Flux<ChatResponse> source = calls.opensStreams() ? model.stream(prompt) : null;
    return Flux.deferContextual(context -> {
      CurrentInvocation innermost = CurrentInvocation.of(context);
      CurrentInvocation current = CurrentInvocation.by(calls, innermost);
      if (current != null && current.work() == Work.MODEL) {
        return source == null ? model.stream(prompt) : source;
      }
      if (current != null && current.work() == Work.CLIENT) {
        CurrentInvocation ofModel = current.at(Work.MODEL, innermost);
        return RestoredThreads.restored(RestoredThreads.restored(
                Flux.defer(() -> current.invocation().stream(model, prompt, source)))
            .contextWrite(ofModel::in));
      }
      CurrentInvocation own = calls.beginOutside(prompt, innermost);
      if (own == null) {
        return source == null ? model.stream(prompt) : source;
      }
      return calls.bounded(
          own.at(Work.MODEL, innermost),
          () -> own.invocation().stream(model, prompt, source),
          response -> response,
          () -> false);
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
