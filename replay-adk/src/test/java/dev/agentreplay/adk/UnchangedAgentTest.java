package dev.agentreplay.adk;

import static dev.agentreplay.adk.ScriptedModel.call;
import static dev.agentreplay.adk.ScriptedModel.functionCall;
import static dev.agentreplay.adk.ScriptedModel.response;
import static dev.agentreplay.adk.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.CallbackContext;
import com.google.adk.agents.InvocationContext;
import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.RunConfig;
import com.google.adk.agents.RunConfig.ToolExecutionMode;
import com.google.adk.events.Event;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.plugins.BasePlugin;
import com.google.adk.plugins.Plugin;
import com.google.adk.runner.InMemoryRunner;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.Content;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.recording.FailingDisk;
import dev.agentreplay.io.recording.FailurePolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A recorder changes nothing for the agent, whatever happens to the recording. */
class UnchangedAgentTest {

  private static final int ALL = Integer.MAX_VALUE;

  @TempDir
  private Path directory;

  private final Tools tools = new Tools();

  /** An agent with two tool calls in turn. */
  private LlmAgent agent() {
    return LlmAgent.builder()
        .name("assistant")
        .model(ScriptedModel.byTurn(
            call("read", Map.of("path", "a")), call("read", Map.of("path", "b")), text("done")))
        .tools(tools.tool("read"))
        .build();
  }

  /** A plugin that keeps a list of its callbacks. */
  private static final class Observer extends BasePlugin {
    final Queue<String> seen = new ConcurrentLinkedQueue<>();

    Observer() {
      super("observer");
    }

    private <T> Maybe<T> seen(String callback) {
      seen.add(callback);
      return Maybe.empty();
    }

    @Override
    public Maybe<Content> onUserMessageCallback(InvocationContext invocation, Content message) {
      return seen("message " + message.text());
    }

    @Override
    public Maybe<Content> beforeRunCallback(InvocationContext invocation) {
      return seen("beforeRun");
    }

    @Override
    public Maybe<Event> onEventCallback(InvocationContext invocation, Event event) {
      return seen("event of " + event.author());
    }

    @Override
    public Completable afterRunCallback(InvocationContext invocation) {
      return Completable.fromAction(() -> seen.add("afterRun"));
    }

    @Override
    public Completable onRunErrorCallback(InvocationContext invocation, Throwable error) {
      return Completable.fromAction(() -> seen.add("runError " + error));
    }

    @Override
    public Maybe<Content> beforeAgentCallback(BaseAgent agent, CallbackContext context) {
      return seen("beforeAgent");
    }

    @Override
    public Maybe<Content> afterAgentCallback(BaseAgent agent, CallbackContext context) {
      return seen("afterAgent");
    }

    @Override
    public Maybe<LlmResponse> beforeModelCallback(
        CallbackContext context, LlmRequest.Builder request) {
      return seen("beforeModel " + request.build().contents().size());
    }

    @Override
    public Maybe<LlmResponse> afterModelCallback(CallbackContext context, LlmResponse response) {
      return seen("afterModel");
    }

    @Override
    public Maybe<LlmResponse> onModelErrorCallback(
        CallbackContext context, LlmRequest.Builder request, Throwable error) {
      return seen("modelError " + error);
    }

    @Override
    public Maybe<Map<String, Object>> beforeToolCallback(
        BaseTool tool, Map<String, Object> arguments, ToolContext context) {
      return seen("beforeTool " + tool.getClass().getSimpleName() + arguments);
    }

    @Override
    public Maybe<Map<String, Object>> afterToolCallback(
        BaseTool tool,
        Map<String, Object> arguments,
        ToolContext context,
        @Nullable Map<String, Object> result) {
      return seen("afterTool " + result);
    }

    @Override
    public Maybe<Map<String, Object>> onToolErrorCallback(
        BaseTool tool, Map<String, Object> arguments, ToolContext context, Throwable error) {
      return seen("toolError " + error);
    }
  }

  @Test
  void events_exceptions_and_the_order_of_callbacks_are_the_same() {
    List<BaseAgent> agents = List.of(
        agent(),
        LlmAgent.builder()
            .name("failing_tool")
            .model(ScriptedModel.byTurn(call("fail", Map.of())))
            .tools(Tools.failing(new IOException("lost")))
            .build(),
        LlmAgent.builder()
            .name("failing_model")
            .model(new ScriptedModel(request -> Flowable.error(new IOException("reset"))))
            .build(),
        LlmAgent.builder()
            .name("throwing_model")
            .model(new ScriptedModel(request -> {
              throw new IllegalStateException("no key");
            }))
            .build());
    for (BaseAgent agent : agents) {
      List<String> plain = observed(agent);
      for (boolean isFirst : new boolean[] {true, false}) {
        Path sessions = directory.resolve(agent.name() + isFirst);
        try (AdkRecorder recorder = AdkRecorder.into(sessions)) {
          Plugin plugin = recorder.plugin();

          assertThat(observed(agent, isFirst, plugin)).isEqualTo(plain);

          assertThat(recorder.failures()).isZero();
        }
        Recorded.only(sessions).isValid();
      }
    }
  }

  @Test
  void nothing_is_logged() {
    java.util.logging.Logger client = java.util.logging.Logger.getLogger("com.google.genai");
    Queue<String> logged = new ConcurrentLinkedQueue<>();
    java.util.logging.Handler handler = new java.util.logging.Handler() {
      @Override
      public void publish(java.util.logging.LogRecord entry) {
        logged.add(entry.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    client.addHandler(handler);
    try (AdkRecorder recorder = AdkRecorder.into(directory)) {
      Runs.run(agent(), recorder.plugin());
    } finally {
      client.removeHandler(handler);
    }
    assertThat(logged).isEmpty();
  }

  private static List<String> observed(BaseAgent agent) {
    return observed(agent, true);
  }

  private static List<String> observed(BaseAgent agent, boolean isFirst, Plugin... recorder) {
    Observer observer = new Observer();
    List<Plugin> plugins = new ArrayList<>(List.of(observer));
    plugins.addAll(isFirst ? 0 : 1, List.of(recorder));
    List<String> seen = new ArrayList<>();
    try {
      seen.addAll(Runs.shown(Runs.run(agent, plugins.toArray(Plugin[]::new))));
    } catch (RuntimeException e) {
      seen.add(e + " " + e.getCause());
    }
    seen.addAll(observer.seen);
    return seen;
  }

  @ParameterizedTest
  @EnumSource
  void disk_that_fails_at_any_write_changes_nothing(FailurePolicy policy) throws Exception {
    List<String> plain = Runs.shown(Runs.run(agent()));
    FailingDisk sound = new FailingDisk(ALL, ALL);
    List<RecordingFailure> failures = new ArrayList<>();
    try (AdkRecorder recorder =
        recorder(sound, directory.resolve("sound"), policy, failures::add)) {
      assertThat(Runs.shown(Runs.run(agent(), recorder.plugin()))).isEqualTo(plain);
    }
    assertThat(failures).isEmpty();
    assertThat(sound.writes()).isGreaterThan(10);

    for (int write = 0; write < sound.writes(); write++) {
      for (int to : new int[] {write + 1, ALL}) {
        failures.clear();
        Path session = directory.resolve(write + "-" + to);
        try (AdkRecorder recorder =
            recorder(new FailingDisk(write, to), session, policy, failures::add)) {
          assertThat(Runs.shown(Runs.run(agent(), recorder.plugin())))
              .as("write %d", write)
              .isEqualTo(plain);
          assertThat(recorder.failures()).isEqualTo(failures.size());
        }
        assertThat(failures).as("write %d", write).isNotEmpty();
        assertThat(failures.get(0).cause()).isInstanceOf(IOException.class);
        if (Files.exists(session.resolve("REPLAY.jsonl"))) {
          Recorded.read(Session.open(session));
        }
      }
    }
  }

  private static AdkRecorder recorder(
      FailingDisk disk, Path session, FailurePolicy policy, Consumer<RecordingFailure> failures) {
    RecorderOptions options = RecorderOptions.defaults().withFailurePolicy(policy);
    return AdkRecorder.of((invocation, start) -> disk.start(session, start, options))
        .onFailure(failures);
  }

  @Test
  void a_recorder_that_is_closed_or_cannot_start_does_not_disturb() throws Exception {
    List<String> plain = Runs.shown(Runs.run(agent()));
    AdkRecorder closed = AdkRecorder.into(directory.resolve("closed")).onFailure(failure -> {});
    closed.close();
    AdkRecorder broken = AdkRecorder.of((invocation, start) -> {
          throw new IOException("no");
        })
        .onFailure(failure -> {
          throw new IllegalStateException("of the listener");
        });
    for (AdkRecorder recorder : List.of(closed, broken)) {
      assertThat(Runs.shown(Runs.run(agent(), recorder.plugin()))).isEqualTo(plain);
      assertThat(recorder.failures()).isPositive();
    }
    assertThat(directory.resolve("closed")).doesNotExist();
  }

  /** Many runs on threads of all kinds, with tools of each run in parallel. */
  @Test
  void concurrent_runs_are_recorded_and_replayed_each_for_itself() throws Exception {
    RunConfig parallel = RunConfig.builder()
        .toolExecutionMode(ToolExecutionMode.PARALLEL_SUBSCRIBE)
        .build();
    try (AdkRecorder recorder = AdkRecorder.into(directory)) {
      InMemoryRunner runner = new InMemoryRunner(echo(), "app", List.of(recorder.plugin()));
      ExecutorService threads = threads();
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        String name = "run-" + i;
        String id =
            runner.sessionService().createSession("app", "alice").blockingGet().id();
        // the order of calls in threads of their own is that of chance
        Flowable<Event> events = i < 4
            ? runner.runAsync("alice", id, Runs.user(name))
            : runner.runAsync("alice", id, Runs.user(name), parallel);
        Flowable<Event> placed = i % 2 == 0
            ? events
            : events.subscribeOn(i % 4 == 1 ? Schedulers.computation() : Schedulers.io());
        runs.add(threads.submit(
            () -> assertThat(placed.blockingLast().content().orElseThrow().text())
                .isEqualTo("end of " + name)));
      }
      for (Future<?> run : runs) {
        run.get();
      }
      threads.shutdown();
      assertThat(recorder.failures()).isZero();
    }

    List<Recorded> all = Recorded.all(directory);
    assertThat(all).hasSize(64);
    for (Recorded recorded : all) {
      recorded.isValid();
      String name = recorded.start().task().text();
      assertThat(recorded.toolCalls()).hasSize(3);
      assertThat(recorded.toolResults()).hasSize(3);
      assertThat(recorded.end().summary()).isEqualTo("end of " + name);
    }
    for (Recorded recorded : all) {
      if (!recorded.start().task().text().matches("run-[0-3]")) {
        continue;
      }
      ReplayReport report = Replay.of(recorded.session()).mode(ReplayMode.MOCK).run(scope -> {
        InMemoryRunner runner =
            new InMemoryRunner(echo(), "app", List.of(AdkReplayer.of(scope).plugin()));
        String id =
            runner.sessionService().createSession("app", "alice").blockingGet().id();
        // the thread must not wait for the replay
        runner
            .runAsync("alice", id, Runs.user(recorded.start().task().text()))
            .subscribeOn(Schedulers.computation())
            .blockingSubscribe();
      });
      Runs.assertIdentical(report);
    }
  }

  private LlmAgent echo() {
    return LlmAgent.builder()
        .name("echo")
        .model(new ScriptedModel(request -> {
          String name = request.contents().get(0).text();
          return Flowable.just(
              ScriptedModel.results(request) == 0
                  ? response(
                      functionCall(null, "read", Map.of("path", name + "-1")),
                      functionCall(null, "read", Map.of("path", name + "-2")),
                      functionCall(null, "read", Map.of("path", name + "-3")))
                  : text("end of " + name));
        }))
        .tools(tools.tool("read"))
        .build();
  }

  /** Virtual threads where there are any. */
  private static ExecutorService threads() throws ReflectiveOperationException {
    return Runtime.version().feature() < 21
        ? Executors.newFixedThreadPool(16)
        : (ExecutorService)
            Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  @Test
  void several_runs_in_one_session_of_the_caller() throws Exception {
    Path place = directory.resolve("shared");
    try (SessionRecorder session = SessionRecorder.start(place, "both")) {
      AdkRecorder recorder = AdkRecorder.into(session);
      Runs.run(agent(), recorder.plugin());
      Runs.run(agent(), recorder.plugin());
      session.end(Status.SUCCESS, 1.0);
      assertThat(recorder.failures()).isZero();
    }
    Recorded recorded = Recorded.read(Session.open(place)).isValid();
    assertThat(recorded.modelCalls()).hasSize(6);
    assertThat(recorded.toolResults()).hasSize(4);
    tools.take();

    ReplayReport report = Replay.of(recorded.session()).mode(ReplayMode.MOCK).run(scope -> {
      AdkReplayer replayer = AdkReplayer.ofShared(scope);
      Runs.run(agent(), replayer.plugin());
      Runs.run(agent(), replayer.plugin());
      scope.end(dev.agentreplay.model.SessionEnd.of(Status.SUCCESS).withConfidence(1.0));
    });

    Runs.assertIdentical(report);
    assertThat(tools.take()).isEmpty();
  }
}
