package dev.agentreplay.engine.replay;

/**
 * An agent that takes its models, tools and nondeterministic values from an {@link AgentScope}, so
 * that it can be recorded and replayed.
 *
 * <pre>{@code
 * ReplayAgent agent = scope -> {
 *   JsonValue file = scope.call("read_file", Map.of("path", "src/auth.rs"));
 *   scope.ask("gpt-5", "Review this: " + file.asString());
 * };
 * }</pre>
 */
@FunctionalInterface
public interface ReplayAgent {

  /**
   * Runs the agent until it is done. It must request everything from the scope, also in threads
   * that it starts, and wait for these.
   *
   * @throws Exception if the agent failed; the replay reports it
   */
  void run(AgentScope scope) throws Exception;
}
