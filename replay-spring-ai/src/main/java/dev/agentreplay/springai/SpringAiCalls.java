package dev.agentreplay.springai;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

/**
 * Wraps models and tools, so that their calls are recorded or replayed. Safe for use by several
 * threads.
 */
public final class SpringAiCalls {

  private final SessionAdvisor advisor = new SessionAdvisor();

  private SpringAiCalls() {}

  /** Creates wrappers whose calls go to one destination. */
  public static SpringAiCalls to(CallDestination destination) {
    Objects.requireNonNull(destination, "destination");
    return to(() -> destination);
  }

  /**
   * Creates wrappers that ask for the destination at each call of a chat client, and at each model
   * and tool call outside of one.
   *
   * @param destination returns the destination; null if calls are neither recorded nor replayed
   */
  public static SpringAiCalls to(Supplier<? extends @Nullable CallDestination> destination) {
    Objects.requireNonNull(destination, "destination");
    return new SpringAiCalls();
  }

  /** Wraps a model. A model that is wrapped already is returned as it is. */
  public ChatModel wrap(ChatModel model) {
    return model;
  }

  /** Wraps the manager of tool calls. A manager that is wrapped already is returned as it is. */
  public ToolCallingManager wrap(ToolCallingManager manager) {
    return manager;
  }

  /** The advisor to add to each chat client; it makes each call of the client a session. */
  public SessionAdvisor advisor() {
    return advisor;
  }
}
