package dev.agentreplay.springai;

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
 * them uses the outermost. Safe for use by several threads.
 */
public final class SessionAdvisor implements CallAdvisor, StreamAdvisor {

  /** The order of the advisor: outside of those for tools, memory and retrieval. */
  public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;

  /**
   * The parameter of advisors with the id of the session; without it the id is generated. A session
   * in a directory of its own is in that of this name, if it is the name of a file.
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
    CurrentInvocation current =
        isIn(CurrentInvocation.ofThread(), chain) ? null : calls.begin(request, chain, client);
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
    current.invocation().completed(text(response));
    return response;
  }

  @Override
  public Flux<ChatClientResponse> adviseStream(
      ChatClientRequest request, StreamAdvisorChain chain) {
    return Flux.deferContextual(context -> {
      CurrentInvocation current =
          isIn(CurrentInvocation.of(context), chain) ? null : calls.begin(request, chain, client);
      return current == null
          ? chain.nextStream(request)
          : calls.bounded(current, () -> chain.nextStream(request), SessionAdvisor::text);
    });
  }

  @SuppressWarnings("ReferenceEquality") // a chain is the same object for each of its advisors
  private boolean isIn(@Nullable CurrentInvocation current, Object chain) {
    return current != null && current.calls() == calls && current.chain() == chain;
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
