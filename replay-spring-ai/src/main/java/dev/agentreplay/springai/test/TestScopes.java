package dev.agentreplay.springai.test;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.springai.boot.ScopeSource;
import org.jspecify.annotations.Nullable;

/** The scope of the test that runs in a context. Safe for use by several threads. */
final class TestScopes implements ScopeSource {

  private volatile @Nullable AgentScope running;

  /** Starts a test; null ends it. */
  void run(@Nullable AgentScope scope) {
    running = scope;
  }

  @Override
  public AgentScope scope() {
    AgentScope scope = running;
    if (scope == null) {
      throw new IllegalStateException(
          "a call outside of a replay: expected calls of models and tools only in tests with"
              + " @ReplaySession(\"NAME\"), not when the context starts and not between tests");
    }
    return scope;
  }
}
