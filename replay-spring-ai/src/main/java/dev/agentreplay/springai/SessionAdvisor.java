package dev.agentreplay.springai;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;

/**
 * The bounds of a session: from the request of a chat client to its answer, its failure or its
 * cancellation.
 */
public final class SessionAdvisor implements CallAdvisor, StreamAdvisor {

  /** The order of the advisor: outside of tools, memory and retrieval. */
  public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;

  SessionAdvisor() {}

  @Override
  public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
    return chain.nextCall(request);
  }

  @Override
  public Flux<ChatClientResponse> adviseStream(
      ChatClientRequest request, StreamAdvisorChain chain) {
    return chain.nextStream(request);
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
