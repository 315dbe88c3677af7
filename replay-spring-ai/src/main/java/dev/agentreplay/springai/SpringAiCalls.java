package dev.agentreplay.springai;

import dev.agentreplay.springai.CurrentInvocation.Work;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import reactor.core.publisher.Flux;

/**
 * Wraps the models and the manager of tools of chat clients, so that their calls go to a recording
 * or a replay:
 *
 * <pre>{@code
 * SpringAiCalls calls = SpringAiCalls.to(recorder);
 * ChatClient client = ChatClient.builder(calls.wrap(model))
 *     .defaultAdvisors(
 *         calls.advisor(),
 *         ToolCallingAdvisor.builder()
 *             .toolCallingManager(calls.wrap(ToolCallingManager.builder().build()))
 *             .build())
 *     .defaultTools(new Files())
 *     .build();
 * }</pre>
 *
 * <p>The advisor makes each call of the client one session. Calls of wrapped models and tools, and
 * of other chat clients, in the threads and streams of that call belong to it, also those of other
 * advisors. A call outside of any, such as one of a model without a chat client, is a session of
 * its own, and so is that of a tool. The calls of wrapped models by a wrapped model, such as one
 * that chooses among several, are a part of its own call, and are not recorded.
 *
 * <p>Advisors and tools of a stream run in threads that Reactor chooses, and may block in calls
 * there. These belong to the session, because operators that are assembled in it restore it in
 * their threads; automatic context propagation is not needed. A call that such a thread makes after
 * the client has its answer is outside of any, and so are those of threads that the application
 * starts without Reactor. A publisher that is shared by subscribers, such as one of
 * {@code cache()}, delivers to all of them in the session that subscribed first.
 *
 * <p>The operators are found by a hook of Reactor, which remains registered in the JVM.
 * {@code Hooks.resetOnEachOperator()} removes it, until the next object of this class is created.
 *
 * <p>Without a destination the wrappers only pass calls through. Safe for use by several threads.
 */
public final class SpringAiCalls {

  static {
    ThreadPropagation.register();
  }

  private final Supplier<? extends @Nullable CallDestination> destination;
  private final SessionAdvisor advisor = new SessionAdvisor(this, "");

  private SpringAiCalls(Supplier<? extends @Nullable CallDestination> destination) {
    this.destination = destination;
    RestoredThreads.register(); // again, in case that the hooks of Reactor were reset
  }

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
    return new SpringAiCalls(Objects.requireNonNull(destination, "destination"));
  }

  /**
   * Wraps a model. A model that was wrapped by these calls is returned as it is; one that was
   * wrapped by others is called through their wrapper.
   */
  public ChatModel wrap(ChatModel model) {
    Objects.requireNonNull(model, "model");
    return model instanceof WrappedChatModel wrapped && wrapped.isOf(this)
        ? model
        : new WrappedChatModel(this, model);
  }

  /**
   * Wraps the manager of tool calls. A manager that was wrapped by these calls is returned as it
   * is; one that was wrapped by others is called through their wrapper.
   */
  public ToolCallingManager wrap(ToolCallingManager manager) {
    Objects.requireNonNull(manager, "manager");
    return manager instanceof WrappedToolCallingManager wrapped && wrapped.isOf(this)
        ? manager
        : new WrappedToolCallingManager(this, manager);
  }

  /** The advisor to add to each chat client; it makes each call of the client a session. */
  public SessionAdvisor advisor() {
    return advisor;
  }

  /**
   * Returns an advisor for a chat client with a name, which is that of its service in the tags of
   * sessions, and of its lane where it is the tool of another client.
   */
  public SessionAdvisor advisor(String client) {
    return new SessionAdvisor(this, Objects.requireNonNull(client, "client"));
  }

  /** Whether a stream of a model is opened when it is requested: not if it is replayed. */
  boolean opensStreams() {
    return !(destination.get() instanceof SpringAiReplayer);
  }

  /** Begins the invocation of a chat client; null if it is neither recorded nor replayed. */
  @Nullable
  CurrentInvocation begin(
      ChatClientRequest request,
      Object chain,
      String client,
      @Nullable CurrentInvocation innermost) {
    InvocationStart start = new InvocationStart(request.prompt(), request.context(), client);
    return begin(chain, client, start, innermost);
  }

  /** Begins an invocation outside of a chat client; null if it is not recorded nor replayed. */
  @Nullable
  CurrentInvocation beginOutside(Prompt prompt, @Nullable CurrentInvocation innermost) {
    return begin(null, "", new InvocationStart(prompt, Map.of(), ""), innermost);
  }

  private @Nullable CurrentInvocation begin(
      @Nullable Object chain,
      String client,
      InvocationStart start,
      @Nullable CurrentInvocation innermost) {
    CallDestination target = destination.get();
    Invocation invocation = null;
    if (target instanceof SpringAiRecorder recorder) {
      invocation = recorder.begin(start);
    } else if (target instanceof SpringAiReplayer replayer) {
      invocation = replayer.begin(client, chain != null);
    }
    return invocation == null
        ? null
        : new CurrentInvocation(this, chain, invocation, Work.CLIENT, innermost);
  }

  /** A stream that ends its invocation with its own end. */
  <T> Flux<T> bounded(
      CurrentInvocation current,
      Supplier<Flux<T>> stream,
      Function<T, @Nullable ChatResponse> response,
      BooleanSupplier isUnwrapped) {
    Invocation invocation = current.invocation();
    AnswerText answer = new AnswerText();
    AtomicBoolean hasEnded = new AtomicBoolean();
    Flux<T> bounded = RestoredThreads.restored(Flux.defer(stream)).contextWrite(current::in);
    return RestoredThreads.restored(bounded)
        .doOnNext(each -> answer.add(response.apply(each)))
        .doOnComplete(() -> {
          if (hasEnded.compareAndSet(false, true)) {
            SessionAdvisor.complete(invocation, isUnwrapped, answer::text);
          }
        })
        .doOnError(error -> {
          if (hasEnded.compareAndSet(false, true)) {
            invocation.failed(error);
          }
        })
        .doOnCancel(() -> {
          if (hasEnded.compareAndSet(false, true)) {
            invocation.cancelled();
          }
        });
  }
}
