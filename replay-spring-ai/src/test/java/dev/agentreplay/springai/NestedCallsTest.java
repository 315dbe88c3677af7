package dev.agentreplay.springai;

import static dev.agentreplay.springai.Agents.assertIdentical;
import static dev.agentreplay.springai.ScriptedChatModel.calling;
import static dev.agentreplay.springai.ScriptedChatModel.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.springai.Agents.Agent;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.rag.Query;
import org.springframework.ai.rag.preretrieval.query.transformation.RewriteQueryTransformer;
import org.springframework.ai.tool.annotation.Tool;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;

/** Models and clients that are called by models, tools and advisors of a recorded call. */
class NestedCallsTest {

  private static final String[] ONE_CALL = {"ModelCall", "ModelResult", "SessionEnd"};
  private static final String[] TWO_CALLS = {
    "ModelCall", "ModelResult", "ModelCall", "ModelResult", "SessionEnd"
  };

  @TempDir
  Path sessions;

  @AfterEach
  void disablePropagation() {
    Hooks.disableAutomaticContextPropagation();
  }

  /** A model that passes calls to one of several. */
  private record Router(ChatModel chosen) implements ChatModel {

    @Override
    public ChatResponse call(Prompt prompt) {
      return chosen.call(prompt);
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
      return chosen.stream(prompt);
    }

    @Override
    public ChatOptions getOptions() {
      return chosen.getOptions();
    }
  }

  /** An advisor that changes the prompt to an answer. */
  private record Rewriting(Supplier<String> answer) implements BaseAdvisor {

    @Override
    public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
      return request
          .mutate()
          .prompt(request.prompt().augmentUserMessage(answer.get()))
          .build();
    }

    @Override
    public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
      return response;
    }

    @Override
    public int getOrder() {
      return 0;
    }
  }

  /** A tool that calls a model. */
  private record Asking(ChatModel model) {

    @Tool(description = "asks")
    String ask(String question) {
      return model.call(question);
    }
  }

  private static String answer(ChatClient client, boolean isStream) {
    return isStream
        ? String.join("", client.prompt("hi").stream().content().collectList().block())
        : client.prompt("hi").call().content();
  }

  private Recorded replayed(Agent agent) throws Exception {
    Recorded recorded = Agents.record(sessions, agent);
    assertIdentical(Agents.mock(recorded.session(), agent));
    return recorded;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aModelThatCallsAWrappedModel_isOneCall(boolean isStream) throws Exception {
    Recorded recorded = replayed(calls -> answer(
        Agents.client(calls, new Router(calls.wrap(ScriptedChatModel.inTurn("done"))))
            .build(),
        isStream));

    assertThat(recorded.kinds()).containsExactly(ONE_CALL);
  }

  @Test
  void aRouterThatIsNotWrapped_isRecordedByItsModel() throws Exception {
    Recorded recorded = replayed(calls -> answer(
        ChatClient.builder(new Router(calls.wrap(ScriptedChatModel.inTurn("done"))))
            .defaultAdvisors(calls.advisor())
            .build(),
        false));

    assertThat(recorded.kinds()).containsExactly(ONE_CALL);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aModelThatAToolCalls_isASessionOfItsOwn(boolean isStream) throws Exception {
    Agent agent = calls -> answer(
        Agents.client(
                calls,
                ScriptedChatModel.inTurn(
                    calling(tool("c1", "ask", "{\"question\":\"q\"}")), "done"))
            .defaultTools(new Asking(calls.wrap(ScriptedChatModel.inTurn("inner"))))
            .build(),
        isStream);
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      agent.run(SpringAiCalls.to(recorder));
      assertThat(recorder.failures()).isZero();
    }
    List<Recorded> all = Recorded.all(sessions);

    assertThat(all).hasSize(2);
    Recorded inner = all.get(all.get(0).toolCalls().isEmpty() ? 0 : 1);
    Recorded outer = all.get(all.get(0).toolCalls().isEmpty() ? 1 : 0);
    assertThat(inner.isValid().kinds()).containsExactly(ONE_CALL);
    assertThat(inner.start().labels().tags()).contains("parent_call:c1");
    assertThat(outer.isValid().modelCalls()).hasSize(2);
    assertIdentical(Agents.mock(outer.session(), agent));
  }

  @Test
  void aClientThatAnAdvisorCalls_joinsTheSession() throws Exception {
    Recorded recorded = replayed(calls -> {
      ChatClient rewriter =
          Agents.client(calls, ScriptedChatModel.inTurn("better")).build();
      answer(
          Agents.client(calls, ScriptedChatModel.inTurn("done"))
              .defaultAdvisors(new Rewriting(() -> answer(rewriter, false)))
              .build(),
          false);
    });

    assertThat(recorded.kinds()).containsExactly(TWO_CALLS);
    assertThat(recorded.end().summary()).isEqualTo("done");
  }

  @Test
  void aQueryTransformer_joinsTheSession() throws Exception {
    Recorded recorded = replayed(calls -> {
      RewriteQueryTransformer transformer = RewriteQueryTransformer.builder()
          .chatClientBuilder(Agents.client(calls, ScriptedChatModel.inTurn("better")))
          .build();
      answer(
          Agents.client(calls, ScriptedChatModel.inTurn("done"))
              .defaultAdvisors(
                  new Rewriting(() -> transformer.transform(new Query("hi")).text()))
              .build(),
          false);
    });

    assertThat(recorded.kinds()).containsExactly(TWO_CALLS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAdvisorThatBlocksInAStream_joinsTheSession(boolean isPropagated) throws Exception {
    if (isPropagated) {
      Hooks.enableAutomaticContextPropagation();
    }
    Recorded recorded = replayed(NestedCallsTest::rewriteInAStream);

    assertThat(recorded.kinds()).containsExactly(TWO_CALLS);
    assertThat(CurrentInvocation.ofThread()).isNull();
  }

  private static void rewriteInAStream(SpringAiCalls calls) {
    ChatModel rewriter = calls.wrap(ScriptedChatModel.inTurn("better"));
    answer(
        Agents.client(calls, ScriptedChatModel.inTurn("done"))
            .defaultAdvisors(new Rewriting(() -> rewriter.call("rewrite")))
            .build(),
        true);
  }

  @Test
  void aWrapperAroundThatOfOthers_recordsAsWell() {
    Path first = sessions.resolve("first");
    Path second = sessions.resolve("second");
    try (SpringAiRecorder one = SpringAiRecorder.into(first, Agents.BUFFERED);
        SpringAiRecorder two = SpringAiRecorder.into(second, Agents.BUFFERED)) {
      SpringAiCalls inner = SpringAiCalls.to(one);
      SpringAiCalls outer = SpringAiCalls.to(two);
      ChatClient.builder(outer.wrap(inner.wrap(ScriptedChatModel.inTurn("done"))))
          .defaultAdvisors(inner.advisor(), outer.advisor())
          .build()
          .prompt("hi")
          .call()
          .content();
    }

    assertThat(Recorded.only(first).kinds()).containsExactly(ONE_CALL);
    assertThat(Recorded.only(second).kinds()).containsExactly(ONE_CALL);
  }

  @Test
  void aReplayOfAModelThatOthersWrapped_doesNotCallIt() throws Exception {
    Recorded recorded = Agents.record(
        sessions,
        calls -> answer(Agents.client(calls, ScriptedChatModel.inTurn("done")).build(), false));
    ScriptedChatModel real = ScriptedChatModel.inTurn("real");
    SpringAiCalls others = SpringAiCalls.to(() -> null);
    assertIdentical(Agents.mock(
        recorded.session(),
        calls -> answer(Agents.client(calls, others.wrap(real)).build(), false)));

    assertThat(real.calls()).isZero();
    assertThat(recorded.modelResults()).extracting(ModelResult::succeeded).containsExactly(true);
  }
}
