package dev.agentreplay.springai;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import reactor.core.publisher.Flux;

/**
 * A call of a chat client that is recorded or replayed, from its request to its answer, failure or
 * cancellation; or a call of a model or of tools outside of one. Safe for use by several threads.
 */
interface Invocation {

  /** Calls a model. */
  @Nullable
  ChatResponse call(ChatModel model, Prompt prompt);

  /**
   * Streams the answer of a model.
   *
   * @param source the stream of the model for the prompt, without a subscriber; null if a replay is
   *     to open it
   */
  Flux<ChatResponse> stream(ChatModel model, Prompt prompt, @Nullable Flux<ChatResponse> source);

  /** Calls the tools that a response requests. */
  ToolExecutionResult executeToolCalls(
      ToolCallingManager manager, Prompt prompt, ChatResponse response);

  /**
   * Ends with an answer.
   *
   * @param text returns the text of the answer, null if it has none; may throw
   */
  void completed(Supplier<@Nullable String> text);

  /**
   * Whether a model was called. An answer without one comes from an advisor, or from a model that
   * is not wrapped.
   */
  boolean hasCalledModel();

  /**
   * Ends with an answer of a model that is not wrapped: a replay that serves models refuses it, and
   * a recording lacks it.
   *
   * @param text returns the text of the answer, null if it has none; may throw
   */
  void answeredUnwrapped(Supplier<@Nullable String> text);

  /** Ends with the exception that the caller gets. */
  void failed(Throwable error);

  /** Ends because the caller cancelled the stream. */
  void cancelled();

  /** Whether it has ended: later calls of its threads do not belong to it. */
  boolean hasEnded();
}
