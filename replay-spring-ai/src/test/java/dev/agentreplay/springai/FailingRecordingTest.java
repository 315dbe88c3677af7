package dev.agentreplay.springai;

import static dev.agentreplay.springai.ScriptedChatModel.calling;
import static dev.agentreplay.springai.ScriptedChatModel.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.recording.FailingDisk;
import dev.agentreplay.io.recording.FailurePolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;

class FailingRecordingTest {

  @TempDir
  Path sessions;

  private final Tools tools = new Tools();
  private final Queue<RecordingFailure> failures = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @EnumSource(FailurePolicy.class)
  void aFullDisk_doesNotAffectTheAgent_atAnyWrite(FailurePolicy policy) throws Exception {
    FailingDisk whole = new FailingDisk(Integer.MAX_VALUE, Integer.MAX_VALUE);
    assertThat(run(whole, policy, "whole")).isEqualTo("done");
    assertThat(failures).isEmpty();
    Recorded.read(Session.open(sessions.resolve("whole"))).isValid();
    tools.take();

    for (int write = 1; write < whole.writes(); write++) {
      failures.clear();
      String answer = run(new FailingDisk(write, write + 1), policy, policy + "-" + write);
      assertThat(answer).isEqualTo("done");
      assertThat(tools.take()).containsExactly("read a", "broken b");
      assertThat(failures).as("failure of write %s", write).isNotEmpty();
    }
  }

  private String run(FailingDisk disk, FailurePolicy policy, String name) {
    try (SpringAiRecorder recorder = SpringAiRecorder.of(start -> disk.start(
            sessions.resolve(name), start, RecorderOptions.defaults().withFailurePolicy(policy)))
        .onFailure(failures::add)) {
      return chat(SpringAiCalls.to(recorder));
    }
  }

  private String chat(SpringAiCalls calls) {
    return Agents.client(
            calls,
            ScriptedChatModel.inTurn(
                calling(
                    tool("c1", "read", "{\"path\":\"a\"}"),
                    tool("c2", "broken", "{\"path\":\"b\"}")),
                "done"))
        .defaultTools(tools)
        .build()
        .prompt("Go")
        .call()
        .content();
  }

  @Test
  void aSessionThatCannotBeStarted_isReported_andTheAgentRuns() {
    try (SpringAiRecorder recorder = SpringAiRecorder.of(start -> {
          throw new IOException("no directory");
        })
        .onFailure(failures::add)) {
      assertThat(chat(SpringAiCalls.to(recorder))).isEqualTo("done");
      assertThat(recorder.failures()).isEqualTo(1);
      assertThat(failures).extracting(RecordingFailure::event).containsExactly("SessionStart");
      assertThat(recorder.sessions()).isZero();
    }
  }

  @Test
  void aClosedRecorder_recordsNothing_andOpenSessionsAreClosedWithoutAnEnd() {
    SpringAiRecorder recorder = SpringAiRecorder.into(sessions);
    ChatClient client = Agents.client(SpringAiCalls.to(recorder), new ScriptedChatModel(prompt -> {
          assertThat(recorder.openSessions()).hasSize(1).allSatisfy(open -> {
            assertThat(open.modelCalls()).isEqualTo(1);
            assertThat(open.directory()).isEqualTo(sessions.resolve(open.id()));
          });
          recorder.close();
          return ScriptedChatModel.text("done");
        }))
        .build();
    assertThat(client.prompt("Go").call().content()).isEqualTo("done");
    assertThat(Recorded.all(sessions)).hasSize(1).allMatch(recorded -> !recorded.hasEnded());
    assertThat(List.copyOf(recorder.openSessions())).isEmpty();
  }
}
