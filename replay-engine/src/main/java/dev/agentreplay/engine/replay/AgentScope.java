package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.failure.RecordedFailureException;
import dev.agentreplay.engine.replay.failure.RestoredExceptions;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The models, tools and nondeterministic values of an agent. In a replay, each request is matched
 * with the recording and is served, executed, compared or refused as the {@link ReplayPolicy} says;
 * {@link #recording} returns a scope that executes and records everything. One loop of an agent is
 * recorded and replayed:
 *
 * <pre>{@code
 * void agent(AgentScope scope) throws Exception {
 *   JsonValue file = scope.run("read_file", Map.of("path", "a.txt"), () -> "fn login() {}");
 *   ModelResult answer = scope.ask("gpt-5", "Review this: " + file.asString());
 *   scope.call("comment", Map.of("text", answer.answer().value()));
 * }
 * }</pre>
 *
 * <p>Every method that requests something throws
 *
 * <ul>
 *   <li>{@link ReplayMissException} if the request has to be answered from the recording, and
 *       cannot be;
 *   <li>{@link ExchangeRefusedException} if the policy refuses it, or nothing can execute it;
 *   <li>{@link IllegalArgumentException} if it cannot be recorded, such as a tool without a name or
 *       a value without a JSON form;
 *   <li>{@link ReplayStoppedException} if the replay was stopped: aborted, timed out, over its
 *       budget, or stopped by an earlier miss or divergence. An agent that makes 1,000 requests
 *       after that is interrupted;
 *   <li>{@link java.io.UncheckedIOException} if the replay, or with a recorder the session, cannot
 *       be written.
 * </ul>
 *
 * <p>A tool or model that is executed runs on a thread of the replay, and its exception is thrown;
 * an error as the cause of an {@link java.util.concurrent.ExecutionException}, and a
 * {@link java.util.concurrent.TimeoutException} if it is not answered in time.
 *
 * <p>A recorded exception is thrown again: as its own class, with its message and causes, if it is
 * one of the JDK ({@link RestoredExceptions}), otherwise, as an error, as a
 * {@link RecordedFailureException}. {@code execute} returns it as the failure of the result.
 *
 * <p>An agent may catch these exceptions, but cannot hide them: the report of a replay is made from
 * its ledger.
 *
 * <p>Safe for use by several threads. The scope can be used until the agent returns. A later use
 * throws {@link ReplayStoppedException}, and leaves the replay incomplete if its report is not
 * complete yet.
 */
public sealed interface AgentScope permits RecordingScope, ReplayScope {

  /**
   * Returns a scope that executes everything and records it.
   *
   * @param recorder the recorder of the session, which the caller ends and closes
   * @param executors the tools and the model
   */
  static AgentScope recording(SessionRecorder recorder, Executors executors) {
    return RecordingScope.of(recorder, executors);
  }

  /**
   * Calls a tool.
   *
   * @param params the parameters, of any type that {@link JsonValue#of} converts
   * @return the output of the tool
   * @throws Exception the exception of the tool, also one that was recorded
   */
  default JsonValue call(String tool, @Nullable Object params) throws Exception {
    return Requests.output(execute(Requests.tool(tool, params)));
  }

  /**
   * Calls a tool whose code is at hand: it is run where the policy executes the tool.
   *
   * @param params the parameters, of any type that {@link JsonValue#of} converts
   * @param body the tool; it is run on a different thread
   * @return the output of the tool as JSON, also if it was executed
   * @throws Exception the exception of the tool, also one that was recorded
   */
  default JsonValue run(String tool, @Nullable Object params, Callable<?> body) throws Exception {
    return Requests.output(execute(Requests.tool(tool, params), ToolExecutor.of(body)));
  }

  /**
   * Calls a tool whose code is at hand, and whose result is not JSON.
   *
   * @param toOutput returns the value to record for a result
   * @param fromOutput restores a result from the recorded value
   * @return the result, restored from its recorded form also if the tool was executed
   * @throws Exception the exception of the tool, also one that was recorded
   */
  default <T extends @Nullable Object> T run(
      String tool,
      @Nullable Object params,
      Callable<T> body,
      Function<T, @Nullable Object> toOutput,
      Function<JsonValue, T> fromOutput)
      throws Exception {
    return fromOutput.apply(run(tool, params, () -> toOutput.apply(body.call())));
  }

  /**
   * Calls a tool, and returns its result as an event: with its outcome, side effects and the pieces
   * of a streamed output. A failure that was recorded is returned.
   *
   * @param call the call, with its parameters; a blank id, and one that an open call has, is
   *     replaced by a generated one
   * @return the result; its output has its value
   * @throws Exception the exception of a tool that was executed
   */
  ToolResult execute(ToolCall call) throws Exception;

  /**
   * Calls a tool, as {@link #execute(ToolCall)} does.
   *
   * @param executor executes the call where the policy says so, in place of the registered executor
   */
  ToolResult execute(ToolCall call, ToolExecutor executor) throws Exception;

  /**
   * Calls a model without parameters.
   *
   * @throws Exception the exception of the model, also one that was recorded
   */
  default ModelResult ask(String model, Object prompt) throws Exception {
    return ask(model, prompt, null);
  }

  /**
   * Calls a model.
   *
   * @param prompt a {@link dev.agentreplay.model.ModelCall.Prompt}, the text of a user, a list of
   *     messages, or an object as in a prompt
   * @param parameters {@link dev.agentreplay.model.ModelCall.Parameters}, or an object; null for
   *     none
   * @return the result; its answer has its value
   * @throws Exception the exception of the model, also one that was recorded
   */
  default ModelResult ask(String model, Object prompt, @Nullable Object parameters)
      throws Exception {
    return Requests.succeeded(execute(Requests.model(model, prompt, parameters), piece -> {}));
  }

  /**
   * Calls a model, and returns its result as an event. A failure that was recorded is returned.
   *
   * @param call the call, with its prompt in full; a blank id is replaced by a generated one
   * @param pieces receives the pieces of an answer that is, or was, streamed; before a recorded
   *     failure, those that had arrived
   * @return the result; its answer has its value
   * @throws Exception the exception of a model that was executed
   */
  ModelResult execute(ModelCall call, Consumer<String> pieces) throws Exception;

  /**
   * Calls a model, as {@link #execute(ModelCall, Consumer)} does.
   *
   * @param executor executes the call where the policy says so, in place of the registered executor
   */
  ModelResult execute(ModelCall call, Consumer<String> pieces, ModelExecutor executor)
      throws Exception;

  /** The recording that is replayed; null if this scope records. */
  @Nullable
  Session recorded();

  /** The source of nondeterministic values, served from the recording in a replay. */
  DeterministicContext context();

  /**
   * Returns the scope of an agent that this agent starts: its lane. Requests are matched within a
   * lane.
   *
   * @param id the id of the agent, the same in every run
   * @param parent the id of the call that started the agent; null if no call did
   */
  AgentScope agent(String id, @Nullable String parent);

  /**
   * Records an event that is neither a call nor a result, nor the end: a verification, a step of a
   * plan, the state of a file.
   *
   * @throws IllegalArgumentException if it is a call, a result, an end, or an event that a recorder
   *     writes
   */
  void emit(ReplayEvent event);

  /** Records settings, unless they are recorded already. */
  void settings(Settings settings);

  /**
   * States the end of the session, which a replay records when the agent returns, and compares.
   * With a recorder it ends the session.
   */
  void end(SessionEnd end);
}
