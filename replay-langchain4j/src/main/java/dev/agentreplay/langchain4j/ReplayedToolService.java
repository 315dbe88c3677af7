package dev.agentreplay.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.BeforeToolExecution;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolArgumentsErrorHandler;
import dev.langchain4j.service.tool.ToolExecution;
import dev.langchain4j.service.tool.ToolExecutionErrorHandler;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.ToolServiceContext;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a service whose calls are replayed: those that are set before and after it, and
 * those of tool providers. It takes the place of the tool service of a builder.
 */
final class ReplayedToolService extends ToolService {

  /** The invocation whose tool the thread is about to run. */
  private static final ThreadLocal<@Nullable InvocationContext> CURRENT = new ThreadLocal<>();

  /** An exception that passes the error handlers of tools, because they have seen it already. */
  private static final class Passing extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Throwable passed;

    /** Has no cause, which error handlers would get in its place. */
    private Passing(Throwable passed) {
      super(null, null, false, false);
      this.passed = passed;
    }

    private static void rethrow(Throwable error) {
      if (error instanceof Passing passing) {
        throw RecordedExceptions.<RuntimeException>thrown(passing.passed);
      }
    }
  }

  private final AiServiceReplayer replayer;

  /** The callback of the caller, which may prevent a tool call by throwing. */
  private @Nullable Consumer<BeforeToolExecution> before;

  /** The compensating actions of tools. */
  private final Map<String, Consumer<ToolExecution>> compensations;

  /**
   * The requests whose tools were executed and have a compensating action, by identity: only these
   * are compensated, once.
   */
  private final Set<ToolExecutionRequest> executed =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  /**
   * Creates a tool service with the settings of another, which is not used any more.
   *
   * @throws IllegalStateException if they cannot be read in this version of LangChain4j
   */
  ReplayedToolService(AiServiceReplayer replayer, ToolService settings) {
    this.replayer = replayer;
    try {
      copy(settings);
      @SuppressWarnings("unchecked")
      Map<String, Consumer<ToolExecution>> actions =
          (Map<String, Consumer<ToolExecution>>) EventParts.setting(this, "compensatingExecutors");
      compensations = actions == null ? new HashMap<>() : actions;
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException("cannot read the tools of the builder: " + e.getMessage(), e);
    }
    beforeToolExecution(ToolCallbacks.before(settings));
  }

  /** The replayer of the calls. */
  AiServiceReplayer replayer() {
    return replayer;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the values are of the types of the fields
  private void copy(ToolService settings) throws ReflectiveOperationException {
    for (Field field : ToolService.class.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
        continue;
      }
      field.setAccessible(true);
      Object value = field.get(settings);
      if (!Modifier.isFinal(field.getModifiers())) {
        field.set(this, value);
      } else if (value instanceof Collection<?> elements) {
        ((Collection) field.get(this)).addAll(elements);
      } else if (value instanceof Map<?, ?> entries) {
        ((Map) field.get(this)).putAll(entries);
      } else {
        throw new IllegalStateException("unknown setting " + field.getName());
      }
    }
  }

  @Override
  public ToolServiceContext createContext(
      InvocationContext invocation, UserMessage message, List<ChatMessage> messages) {
    compensations.replaceAll(
        (tool, action) -> action instanceof Compensation ? action : new Compensation(action));
    ToolServiceContext context = super.createContext(invocation, message, messages);
    if (context.toolExecutors().isEmpty() && context.dynamicToolProviders().isEmpty()) {
      return context;
    }
    Map<String, ToolExecutor> executors = new TreeMap<>();
    context.toolExecutors().forEach((name, tool) -> executors.put(name, replayed(tool)));
    return context.toBuilder()
        .toolExecutors(executors)
        .dynamicToolProviders(
            context.dynamicToolProviders().stream().map(this::replayed).toList())
        .build();
  }

  private ToolExecutor replayed(ToolExecutor tool) {
    return tool instanceof Replayed ? tool : new Replayed(tool);
  }

  private ToolProvider replayed(ToolProvider provider) {
    return new ToolProvider() {
      @Override
      public @Nullable ToolProviderResult provideTools(ToolProviderRequest request) {
        ToolProviderResult result = provider.provideTools(request);
        return result == null
            ? null
            : new ToolProviderResult(result.aiServiceTools().stream()
                .map(tool ->
                    tool.toBuilder().toolExecutor(replayed(tool.toolExecutor())).build())
                .toList());
      }

      @Override
      public boolean isDynamic() {
        return provider.isDynamic();
      }
    };
  }

  @Override
  public ToolArgumentsErrorHandler argumentsErrorHandler() {
    ToolArgumentsErrorHandler handler = super.argumentsErrorHandler();
    return (error, context) -> {
      Passing.rethrow(error);
      return handler.handle(error, context);
    };
  }

  @Override
  public ToolExecutionErrorHandler executionErrorHandler() {
    ToolExecutionErrorHandler handler = super.executionErrorHandler();
    return (error, context) -> {
      Passing.rethrow(error);
      return handler.handle(error, context);
    };
  }

  @Override
  public void beforeToolExecution(@Nullable Consumer<BeforeToolExecution> callback) {
    before = callback;
    super.beforeToolExecution(event -> {
      CURRENT.set(event.invocationContext());
      if (callback != null) {
        guarded(callback).accept(event);
      }
    });
  }

  @Override
  public @Nullable Consumer<BeforeToolExecution> beforeToolExecution() {
    return before;
  }

  @Override
  public ToolExecutionResult executeTool(
      InvocationContext context,
      Map<String, ToolExecutor> executors,
      ToolExecutionRequest request,
      @Nullable Consumer<BeforeToolExecution> externalBefore,
      @Nullable Consumer<ToolExecution> externalAfter) {
    return super.executeTool(
        context,
        executors,
        request,
        externalBefore == null ? null : guarded(externalBefore),
        externalAfter);
  }

  /** A callback that may prevent a tool call, which is recorded as a failed one, by throwing. */
  private Consumer<BeforeToolExecution> guarded(Consumer<BeforeToolExecution> callback) {
    return event -> {
      try {
        callback.accept(event);
      } catch (RuntimeException e) {
        call(
            event.request(),
            event.invocationContext(),
            () -> {
              throw e;
            },
            true);
        throw e;
      }
    };
  }

  @Override
  public ToolExecutionResult applyToolHallucinationStrategy(ToolExecutionRequest request) {
    InvocationContext context = CURRENT.get();
    return call(
        request,
        context,
        () -> new ToolReturn(super.applyToolHallucinationStrategy(request), null),
        false);
  }

  private ToolExecutionResult call(
      ToolExecutionRequest request,
      @Nullable InvocationContext context,
      Callable<ToolReturn> tool,
      boolean hasObject) {
    CURRENT.remove();
    try {
      return replayer.invocation(context).call(request, tool, hasObject, () -> executed(request));
    } catch (Exception e) {
      throw RecordedExceptions.<RuntimeException>thrown(e);
    }
  }

  /** Notes that a tool was executed, if it has a compensating action. */
  private void executed(ToolExecutionRequest request) {
    if (compensations.containsKey(request.name())) {
      executed.add(request);
    }
  }

  /** A tool whose calls are replayed. */
  private final class Replayed implements ToolExecutor {

    private final ToolExecutor tool;
    private final boolean hasObject;

    private Replayed(ToolExecutor tool) {
      this.tool = tool;
      this.hasObject =
          !(tool instanceof DefaultToolExecutor method) || EventParts.returnsObject(method);
    }

    @Override
    public ToolExecutionResult executeWithContext(
        ToolExecutionRequest request, InvocationContext context) {
      try {
        return call(request, context, () -> run(request, context), hasObject);
      } catch (Exception e) {
        throw new Passing(e);
      }
    }

    private ToolReturn run(ToolExecutionRequest request, InvocationContext context) {
      ToolExecutionErrorHandler handler = ReplayedToolService.super.executionErrorHandler();
      AtomicReference<@Nullable Throwable> handled = new AtomicReference<>();
      ToolExecutionResult result = executeWithErrorHandling(
          request,
          tool,
          context,
          ReplayedToolService.super.argumentsErrorHandler(),
          (error, at) -> {
            handled.set(error);
            return handler.handle(error, at);
          });
      return new ToolReturn(result, handled.get());
    }

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
      return executeWithContext(
              request, InvocationContext.builder().chatMemoryId(memoryId).build())
          .resultText();
    }
  }

  /** The compensating action of a tool, which is run only if the tool was. */
  private final class Compensation implements Consumer<ToolExecution> {

    private final Consumer<ToolExecution> action;

    private Compensation(Consumer<ToolExecution> action) {
      this.action = action;
    }

    @Override
    public void accept(ToolExecution execution) {
      if (executed.remove(execution.request())) {
        action.accept(execution);
      }
    }
  }
}
