package dev.agentreplay.adk;

import static dev.agentreplay.adk.Runs.assertIdentical;
import static dev.agentreplay.adk.ScriptedModel.call;
import static dev.agentreplay.adk.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.CallbackContext;
import com.google.adk.agents.InvocationContext;
import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.ParallelAgent;
import com.google.adk.agents.SequentialAgent;
import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.plugins.BasePlugin;
import com.google.adk.plugins.Plugin;
import com.google.adk.runner.InMemoryRunner;
import com.google.adk.sessions.State;
import com.google.adk.tools.AgentTool;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.Schema;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that overlap, fail in unusual places, or have models and tools of unusual behavior. */
class UnusualRunsTest {

  @TempDir
  private Path sessions;

  private static LlmAgent agent(String name, ScriptedModel model, Object... tools) {
    return LlmAgent.builder()
        .name(name)
        .description("Helps")
        .model(model)
        .tools(tools)
        .build();
  }

  private static BaseTool tool(
      String name, Function<ToolContext, Single<Map<String, Object>>> body) {
    return new BaseTool(name, "Does " + name) {
      @Override
      public Optional<FunctionDeclaration> declaration() {
        return Optional.of(FunctionDeclaration.builder().name(name).build());
      }

      @Override
      public Single<Map<String, Object>> runAsync(
          Map<String, Object> arguments, ToolContext context) {
        return body.apply(context);
      }
    };
  }

  private static BaseTool effect(BiConsumer<ToolContext, EventActions> effect) {
    return tool("put", context -> {
      effect.accept(context, context.actions());
      return Single.just(Map.of("ok", true));
    });
  }

  private static LlmAgent putting(BiConsumer<ToolContext, EventActions> effect) {
    return agent(
        "assistant", ScriptedModel.byTurn(call("put", Map.of()), text("done")), effect(effect));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A run of an agent is not part of a run that has a tool of this agent. */
  @Test
  void a_run_is_not_taken_for_one_of_a_tool() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    LlmAgent helper = agent(
        "helper",
        new ScriptedModel(request -> Flowable.fromCallable(() -> {
          if (isFirst.getAndSet(false)) {
            begun.countDown();
            await(mayEnd);
          }
          return text("help");
        })));
    LlmAgent main = agent(
        "main",
        ScriptedModel.byTurn(call("helper", Map.of("request", "go")), text("done")),
        AgentTool.create(helper));
    try (AdkRecorder recorder = AdkRecorder.into(sessions)) {
      CompletableFuture<?> other =
          CompletableFuture.runAsync(() -> Runs.run(main, recorder.plugin()));
      await(begun);
      Runs.run(helper, recorder.plugin());
      mayEnd.countDown();
      other.join();
    }

    assertThat(Recorded.all(sessions))
        .hasSize(2)
        .allSatisfy(recorded -> assertThat(recorded.lanes()).noneMatch(l -> l.contains("helper")));
  }

  /** Two runs call a tool of the same agent, with the same request and different plugins. */
  @Test
  void runs_of_tools_that_overlap_belong_to_their_calls() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayCall = new CountDownLatch(1);
    LlmAgent helper = agent("helper", new ScriptedModel(request -> Flowable.just(text("help"))));
    BaseTool waiting = new AgentTool(helper, false, true) {
      @Override
      public Single<Map<String, Object>> runAsync(
          Map<String, Object> arguments, ToolContext context) {
        if (context.invocationContext().agent().name().equals("first")) {
          begun.countDown();
          await(mayCall);
        }
        return super.runAsync(arguments, context);
      }
    };
    Function<String, LlmAgent> main = name -> agent(
        name, ScriptedModel.byTurn(call("helper", Map.of("request", "go")), text("done")), waiting);
    try (AdkRecorder recorder = AdkRecorder.into(sessions)) {
      CompletableFuture<?> first =
          CompletableFuture.runAsync(() -> Runs.run(main.apply("first"), recorder.plugin()));
      await(begun);
      Runs.run(main.apply("second"), recorder.plugin());
      mayCall.countDown();
      first.join();
    }

    assertThat(Recorded.all(sessions)).hasSize(2).allSatisfy(recorded -> {
      assertThat(recorded.lanes())
          .filteredOn(l -> l.startsWith("ModelCall helper "))
          .hasSize(1);
      assertThat(recorded.end().status()).isEqualTo(Status.SUCCESS);
    });
  }

  @Test
  void a_tool_of_an_agent_with_an_input_schema_has_a_lane() {
    LlmAgent helper = LlmAgent.builder()
        .name("helper")
        .inputSchema(Schema.builder()
            .type("OBJECT")
            .properties(Map.of("city", Schema.builder().type("STRING").build()))
            .build())
        .model(new ScriptedModel(
            request -> Flowable.just(text("re " + request.contents().get(0).text()))))
        .build();
    Recorded recorded = Runs.record(
        sessions,
        agent(
            "main",
            ScriptedModel.byTurn(
                ScriptedModel.response(
                    ScriptedModel.functionCall("a", "helper", Map.of("city", "Bonn")),
                    ScriptedModel.functionCall("b", "helper", Map.of("city", "Ulm"))),
                text("done")),
            AgentTool.create(helper, false, true)));

    assertThat(recorded.lanes()).contains("ModelCall helper a", "ModelCall helper b");
  }

  /** The agent of the other branch waits for its model when a tool fails. */
  @Test
  void an_error_of_a_tool_is_not_that_of_a_model_of_a_different_agent() {
    CountDownLatch started = new CountDownLatch(1);
    BaseAgent waiting = agent("waiting", new ScriptedModel(request -> Flowable.<LlmResponse>never()
        .doOnSubscribe(each -> started.countDown())));
    BaseAgent failing = agent(
        "failing",
        ScriptedModel.byTurn(call("fail", Map.of())),
        tool("fail", context -> Single.<Map<String, Object>>fromCallable(() -> {
              await(started);
              throw new IllegalStateException("of the tool");
            })
            .subscribeOn(Schedulers.io())));
    Recorded recorded = Runs.record(
        sessions,
        ParallelAgent.builder()
            .name("both")
            .subAgents(List.of(failing, waiting))
            .build());

    assertThat(recorded.modelCalls()).hasSize(2);
    assertThat(recorded.modelResults())
        .singleElement()
        .satisfies(result -> assertThat(result.finish().error()).isNull());
    assertThat(recorded.toolResults()).singleElement().matches(r -> !r.outcome().succeeded());
  }

  @Test
  void a_model_that_throws_when_it_is_called_is_replayed_without_callbacks() throws Exception {
    Supplier<BaseAgent> agent = () -> LlmAgent.builder()
        .name("assistant")
        .model(new ScriptedModel(request -> {
          throw new IllegalStateException("cannot call");
        }))
        .onModelErrorCallback((context, request, error) -> Maybe.just(text("recovered")))
        .build();
    Recorded recorded = Runs.record(sessions, agent.get());

    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
    assertIdentical(Runs.mock(recorded.session(), agent));
    assertIdentical(Runs.replay(recorded.session(), ReplayPolicy.of(ReplayMode.FULL), agent));
  }

  private static ScriptedModel severalResponses() {
    return new ScriptedModel(request -> ScriptedModel.results(request) == 0
        ? Flowable.just(text("Let me look."), call("put", Map.of()))
        : Flowable.just(text("done")));
  }

  @Test
  void several_responses_to_a_request_are_replayed_by_a_wrapped_model() throws Exception {
    BaseTool put = effect((context, actions) -> {});
    Recorded recorded = Runs.record(sessions, agent("assistant", severalResponses(), put));
    List<Event> events = new ArrayList<>();
    ReplayReport report = Replay.of(recorded.session()).mode(ReplayMode.MOCK).run(scope -> {
      AdkReplayer replayer = AdkReplayer.of(scope);
      events.addAll(Runs.run(
          LlmAgent.builder()
              .name("assistant")
              .description("Helps")
              .model(replayer.model(severalResponses()))
              .tools(put)
              .build(),
          replayer.plugin()));
    });

    assertIdentical(report);
    assertThat(Runs.shown(events))
        .isEqualTo(Runs.shown(Runs.run(agent("assistant", severalResponses(), put))));
  }

  @Test
  void several_responses_to_a_request_are_refused_by_the_plugin() throws Exception {
    BaseTool put = effect((context, actions) -> {});
    Recorded recorded = Runs.record(sessions, agent("assistant", severalResponses(), put));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    ReplayReport report = Replay.of(recorded.session()).mode(ReplayMode.MOCK).run(scope -> {
      try {
        Runs.run(scope, agent("assistant", severalResponses(), put));
      } catch (RuntimeException e) {
        thrown.set(e);
      }
    });

    assertThat(thrown.get()).hasStackTraceContaining("AdkReplayer.model(model)");
    assertThat(report.verdict()).isNotEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void an_instruction_shows_values_of_the_state_in_their_order() throws Exception {
    Supplier<BaseAgent> agent = () -> LlmAgent.builder()
        .name("assistant")
        .instruction("Known: {m?}")
        .model(ScriptedModel.byTurn(call("put", Map.of()), text("done")))
        .tools(effect((context, actions) -> {
          Map<String, Object> value = new LinkedHashMap<>();
          value.put("z", 1);
          value.put("a", 2);
          context.state().put("m", value);
        }))
        .build();

    assertIdentical(Runs.mock(Runs.record(sessions, agent.get()).session(), agent));
  }

  /** The kit does not keep it, and asks the model again. */
  @Test
  void a_stream_without_a_whole_response_stays_partial() throws Exception {
    LlmResponse piece =
        text("unfinished").toBuilder().partial(true).finishReason(null).build();
    Supplier<BaseAgent> agent =
        () -> agent("assistant", ScriptedModel.inTurn(piece, text("finished")));
    Recorded recorded = Runs.record(sessions, agent.get());
    List<Event> events = new ArrayList<>();
    ReplayReport report = Replay.of(recorded.session())
        .mode(ReplayMode.MOCK)
        .run(scope -> events.addAll(Runs.run(scope, agent.get())));

    assertIdentical(report);
    assertThat(Runs.shown(events)).isEqualTo(Runs.shown(Runs.run(agent.get())));
    assertThat(events.get(0).partial()).contains(true);
  }

  @Test
  void an_error_after_the_end_of_a_run_starts_no_session() throws Exception {
    Plugin later = new BasePlugin("later") {
      @Override
      public Completable afterRunCallback(InvocationContext invocation) {
        return Completable.error(new IllegalStateException("later"));
      }
    };
    Supplier<BaseAgent> agent = () -> agent("assistant", ScriptedModel.byTurn(text("hi")));
    Recorded recorded = Runs.record(sessions, agent.get(), later); // asserts no failures

    assertThat(recorded.end().status()).isEqualTo(Status.SUCCESS);
    assertIdentical(Runs.mock(recorded.session(), agent, later));
  }

  @Test
  void a_cancelled_run_with_a_tool_that_is_an_agent_is_closed() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    LlmAgent child = agent("child", new ScriptedModel(request -> Flowable.<LlmResponse>never()
        .doOnSubscribe(each -> asked.countDown())));
    LlmAgent main = agent(
        "main",
        ScriptedModel.byTurn(call("child", Map.of("request", "q"))),
        AgentTool.create(child));
    try (AdkRecorder recorder = AdkRecorder.of((invocation, start) ->
        SessionRecorder.start(sessions, start, RecorderOptions.defaults()))) {
      cancelled(main, recorder, asked);
      assertTimeoutPreemptively(Duration.ofSeconds(60), this::awaitClosed);
    }
  }

  /** Waits until the log has no writer. */
  private void awaitClosed() throws IOException {
    while (true) {
      System.gc();
      try {
        SessionRecorder.resume(sessions, RecorderOptions.defaults()).close();
        return;
      } catch (LogLockedException stillOpen) {
        Thread.onSpinWait();
      }
    }
  }

  private static void cancelled(BaseAgent agent, AdkRecorder recorder, CountDownLatch asked) {
    InMemoryRunner runner = new InMemoryRunner(agent, "app", List.of(recorder.plugin()));
    String id =
        runner.sessionService().createSession("app", "alice").blockingGet().id();
    Disposable run = runner
        .runAsync("alice", id, Runs.user("go"))
        .subscribeOn(Schedulers.io())
        .subscribe(event -> {}, error -> {});
    await(asked);
    run.dispose();
  }

  @Test
  void a_transfer_is_that_of_its_own_run() throws Exception {
    BaseAgent target = agent("target", new ScriptedModel(request -> Flowable.just(text("t"))));
    BaseAgent first = LlmAgent.builder()
        .name("first")
        .model(ScriptedModel.inTurn(call("transfer_to_agent", Map.of("agent_name", "target"))))
        .subAgents(target)
        .build();
    BaseAgent second = SequentialAgent.builder()
        .name("second")
        .subAgents(agent("target", new ScriptedModel(request -> Flowable.just(text("s")))))
        .build();
    try (SessionRecorder session = SessionRecorder.start(sessions, "shared");
        AdkRecorder recorder = AdkRecorder.into(session)) {
      Runs.run(first, recorder.plugin());
      Runs.run(second, recorder.plugin());
    }

    Recorded recorded = Recorded.only(sessions);
    String transfer = recorded.toolCalls().get(0).id();
    assertThat(recorded.lanes())
        .filteredOn(lane -> lane.startsWith("ModelCall target"))
        .containsExactly("ModelCall target " + transfer, "ModelCall target null");
  }

  @Test
  void a_value_that_was_removed_is_removed_in_a_new_conversation() throws Exception {
    Supplier<BaseAgent> agent = () -> putting((context, actions) -> actions.removeStateByKey("k"));
    Recorded recorded = Runs.record(sessions, agent.get());
    List<Event> events = new ArrayList<>();
    Replay.of(recorded.session())
        .mode(ReplayMode.MOCK)
        .run(scope -> events.addAll(Runs.run(scope, agent.get())));

    assertThat(events).anySatisfy(event -> assertThat(event.actions().stateDelta())
        .containsEntry("k", State.REMOVED));
  }

  @Test
  void deleted_artifacts_are_deleted_in_a_replay() throws Exception {
    Supplier<BaseAgent> agent =
        () -> putting((context, actions) -> actions.setDeletedArtifactIds(Set.of("b", "a")));
    Recorded recorded = Runs.record(sessions, agent.get());
    List<Event> events = new ArrayList<>();
    Replay.of(recorded.session())
        .mode(ReplayMode.MOCK)
        .run(scope -> events.addAll(Runs.run(scope, agent.get())));

    assertThat(events).anySatisfy(event -> assertThat(event.actions().deletedArtifactIds())
        .containsExactlyInAnyOrder("a", "b"));
  }

  @Test
  void secrets_of_requested_authentication_are_not_recorded() {
    Recorded recorded = Runs.record(
        sessions,
        putting((context, actions) ->
            actions.setRequestedAuthConfigs(Map.of("id", Map.of("client_secret", "hush")))));

    assertThat(recorded.toolResults().get(0).meta().extra().get("actions").toString())
        .isEqualTo("{\"requested_auth_configs\":1}");
  }

  /** A new effect of the kit must be recorded, or documented as one that is not. */
  @Test
  void all_effects_of_the_kit_are_known() {
    assertThat(Stream.of(EventActions.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
            .filter(method -> method.getParameterCount() == 0)
            .map(Method::getName))
        .containsExactlyInAnyOrder(
            "skipSummarization",
            "stateDelta",
            "artifactDelta",
            "deletedArtifactIds",
            "transferToAgent",
            "escalate",
            "requestedAuthConfigs",
            "requestedToolConfirmations",
            "endOfAgent",
            "endInvocation", // the same as endOfAgent
            "compaction", // of the kit, not of tools
            "toBuilder",
            "hashCode");
  }

  @Test
  void a_second_run_of_one_session_is_refused_with_the_way_out() throws Exception {
    Supplier<BaseAgent> agent = () -> agent("assistant", ScriptedModel.byTurn(text("hi")));
    Recorded recorded = Runs.record(sessions, agent.get());
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Replay.of(recorded.session()).mode(ReplayMode.MOCK).run(scope -> {
      AdkReplayer replayer = AdkReplayer.of(scope);
      Runs.run(agent.get(), replayer.plugin());
      thrown.set(catchThrowable(() -> Runs.run(agent.get(), replayer.plugin())));
    });

    assertThat(thrown.get()).hasStackTraceContaining("AdkReplayer.ofShared(scope)");
  }

  /** A plugin that passes the callbacks before a model to a different one. */
  private static Plugin passing(Plugin plugin) {
    return new BasePlugin("passing") {
      @Override
      public Maybe<LlmResponse> beforeModelCallback(
          CallbackContext context, LlmRequest.Builder request) {
        return plugin.beforeModelCallback(context, request);
      }

      @Override
      public Maybe<LlmResponse> afterModelCallback(CallbackContext context, LlmResponse response) {
        return plugin.afterModelCallback(context, response);
      }
    };
  }

  @Test
  void a_plugin_in_a_different_one_is_not_taken_for_the_last() throws Exception {
    Plugin changing = new BasePlugin("changing") {
      @Override
      public Maybe<LlmResponse> beforeModelCallback(
          CallbackContext context, LlmRequest.Builder request) {
        request.contents(List.of(Runs.user("changed")));
        return Maybe.empty();
      }
    };
    Supplier<BaseAgent> agent = () -> agent("assistant", ScriptedModel.byTurn(text("hi")));
    try (AdkRecorder recorder = AdkRecorder.into(sessions)) {
      Runs.run(agent.get(), passing(recorder.plugin()), changing);
    }
    Recorded recorded = Recorded.only(sessions);
    assertThat(recorded.modelCalls().get(0).prompt().value().toString()).contains("changed");
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Replay.of(recorded.session())
        .mode(ReplayMode.MOCK)
        .run(scope -> thrown.set(catchThrowable(
            () -> Runs.run(agent.get(), passing(AdkReplayer.of(scope).plugin()), changing))));

    assertThat(thrown.get()).hasStackTraceContaining("register AdkReplayer.plugin() itself");
  }

  @Test
  void the_text_of_an_agent_that_is_a_tool_is_not_that_of_the_run() throws Exception {
    LlmAgent helper = agent("helper", new ScriptedModel(request -> Flowable.just(text("inner"))));
    Supplier<BaseAgent> agent = () -> agent(
        "main",
        ScriptedModel.inTurn(call("helper", Map.of("request", "q"))),
        AgentTool.create(helper, true, true));
    Recorded recorded = Runs.record(sessions, agent.get());

    assertThat(recorded.end().summary()).isNull();
    assertIdentical(Runs.replay(
        recorded.session(),
        ReplayPolicy.of(ReplayMode.MOCK).withTool("helper", ReplayAction.EXECUTE),
        agent));
  }
}
