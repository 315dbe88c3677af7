package dev.agentreplay.springai;

import dev.agentreplay.springai.CurrentInvocation.Work;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;

/**
 * The bounds of a session: from the request of a chat client to its answer, its failure or its
 * cancellation. Created by {@link SpringAiCalls#advisor()}; a chain of advisors that has several of
 * them uses the outermost, and a client that an advisor calls is a part of the session. Safe for
 * use by several threads.
 */
public final class SessionAdvisor implements CallAdvisor, StreamAdvisor {

  /** The order of the advisor: outside of those for tools, memory and retrieval. */
  public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;

  /**
   * The parameter of advisors with the id of the session; without it the id is generated. A session
   * in a directory of its own is in that of {@link SpringAiRecorder#directoryName}.
   */
  public static final String SESSION_ID = "replay.session_id";

  private final SpringAiCalls calls;
  private final String client;

  SessionAdvisor(SpringAiCalls calls, String client) {
    this.calls = calls;
    this.client = client;
  }

  @Override
  public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
    CurrentInvocation current = begin(CurrentInvocation.ofThread(), request, chain);
    if (current == null) {
      return chain.nextCall(request);
    }
    ChatClientResponse response;
    try {
      response = CurrentInvocation.call(current, () -> chain.nextCall(request));
    } catch (Throwable e) {
      current.invocation().failed(e);
      throw e;
    }
    complete(
        current.invocation(),
        () -> UnwrappedModels.of(chain.getCallAdvisors()),
        () -> text(response));
    return response;
  }

  @Override
  public Flux<ChatClientResponse> adviseStream(
      ChatClientRequest request, StreamAdvisorChain chain) {
    return Flux.deferContextual(context -> {
      CurrentInvocation current = begin(CurrentInvocation.of(context), request, chain);
      return current == null
          ? chain.nextStream(request)
          : calls.bounded(
              current,
              () -> chain.nextStream(request),
              response -> response.chatResponse(),
              () -> UnwrappedModels.of(chain.getStreamAdvisors()));
    });
  }

  /** Begins an invocation; null if the call is a part of one that is recorded, or is not. */
  private @Nullable CurrentInvocation begin(
      @Nullable CurrentInvocation innermost, ChatClientRequest request, Object chain) {
    CurrentInvocation current = CurrentInvocation.by(calls, innermost);
    return current != null && (current.work() != Work.TOOL || isIn(current, chain))
        ? null
        : calls.begin(request, chain, client, innermost);
  }

  @SuppressWarnings("ReferenceEquality") // a chain is the same object for each of its advisors
  private static boolean isIn(CurrentInvocation current, Object chain) {
    return current.chain() == chain;
  }

  /** Ends an invocation with an answer. */
  static void complete(
      Invocation invocation, BooleanSupplier isUnwrapped, Supplier<@Nullable String> text) {
    if (!invocation.hasCalledModel() && isUnwrapped.getAsBoolean()) {
      invocation.answeredUnwrapped(text);
    } else {
      invocation.completed(text);
    }
  }

  private static String text(@Nullable ChatClientResponse response) {
    ChatResponse answer = response == null ? null : response.chatResponse();
    return answer == null ? "" : RecordedModelCall.text(answer);
  }

  @Override
  public String getName() {
    return "replay";
  }

  @Override
  public int getOrder() {
    return ORDER;
  }
}
