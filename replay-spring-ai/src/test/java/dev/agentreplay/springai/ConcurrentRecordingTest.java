package dev.agentreplay.springai;

import static dev.agentreplay.springai.ScriptedChatModel.calling;
import static dev.agentreplay.springai.ScriptedChatModel.text;
import static dev.agentreplay.springai.ScriptedChatModel.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

class ConcurrentRecordingTest {

  private static final int CALLS = 64;

  @TempDir
  Path sessions;

  private final Tools tools = new Tools();

  @Test
  void callsOfManyThreads_areSessionsOfTheirOwn() throws Exception {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      ChatClient client = client(SpringAiCalls.to(recorder));
      ExecutorService threads = threads();
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        String user = "user-" + i;
        answers.add(threads.submit(() -> client.prompt(user).call().content()));
      }
      for (int i = 0; i < CALLS; i++) {
        assertThat(answers.get(i).get()).isEqualTo("done user-" + i);
      }
      threads.shutdown();
      assertThat(recorder.failures()).isZero();
    }
    assertEachIsItsOwn();
  }

  @Test
  void streamsOnManySchedulers_areSessionsOfTheirOwn() {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      ChatClient client = client(SpringAiCalls.to(recorder));
      List<String> answers = Flux.range(0, CALLS)
          .flatMap(
              i -> client.prompt("user-" + i).stream()
                  .content()
                  .publishOn(Schedulers.parallel())
                  .collectList()
                  .map(pieces -> String.join("", pieces))
                  .subscribeOn(i % 2 == 0 ? Schedulers.parallel() : Schedulers.boundedElastic()),
              CALLS)
          .collectList()
          .block();
      assertThat(answers).hasSize(CALLS).doesNotHaveDuplicates();
      assertThat(recorder.failures()).isZero();
    }
    assertEachIsItsOwn();
  }

  @Test
  void callsOfManyThreads_mayShareASession() throws Exception {
    try (SessionRecorder session =
        SessionRecorder.start(sessions.resolve("s"), SessionStart.of("s"), Agents.BUFFERED)) {
      SpringAiRecorder recorder = SpringAiRecorder.into(session);
      ChatClient client = client(SpringAiCalls.to(recorder));
      ExecutorService threads = threads();
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        String user = "user-" + i;
        answers.add(threads.submit(() -> client.prompt(user).call().content()));
      }
      for (Future<String> answer : answers) {
        assertThat(answer.get()).startsWith("done user-");
      }
      threads.shutdown();
      session.end(Status.SUCCESS, 1.0);
      assertThat(recorder.failures()).isZero();
      assertThat(recorder.toolCalls()).isEqualTo(CALLS);
    }
    Recorded recorded = Recorded.read(Session.open(sessions.resolve("s"))).isValid();
    assertThat(recorded.toolResults()).hasSize(CALLS);
    assertThat(recorded.modelResults()).hasSize(2 * CALLS);
  }

  /** A client whose tool gets the text of the user, whichever thread runs it. */
  private ChatClient client(SpringAiCalls calls) {
    return Agents.client(calls, new ScriptedChatModel(ConcurrentRecordingTest::answer))
        .defaultTools(tools)
        .build();
  }

  private static ChatResponse answer(Prompt prompt) {
    String user = prompt.getInstructions().get(0).getText();
    return prompt.getInstructions().size() == 1
        ? ScriptedChatModel.response(
            calling(tool("c1", "read", JsonObject.of("path", user).toString())))
        : text("done " + user);
  }

  private void assertEachIsItsOwn() {
    List<Recorded> all = Recorded.all(sessions);
    assertThat(all).hasSize(CALLS);
    for (Recorded recorded : all) {
      recorded.isValid();
      String user = recorded.start().task().text();
      assertThat(recorded.kinds())
          .containsExactly(
              "ModelCall",
              "ModelResult",
              "ToolCall",
              "ToolResult",
              "ModelCall",
              "ModelResult",
              "SessionEnd");
      assertThat(recorded.toolCalls().get(0).params().value())
          .isEqualTo(JsonObject.of("path", user));
      assertThat(recorded.end().summary()).isEqualTo("done " + user);
    }
  }

  /** Virtual threads where the JVM has them. */
  private static ExecutorService threads() throws Exception {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException e) {
      return Executors.newFixedThreadPool(CALLS);
    }
  }
}
