package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Models of several agents that give their tool calls the same ids. */
@Timeout(60)
class SameIdsTest {

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();

  @Test
  void lanes_may_use_the_same_ids_at_the_same_time() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(2);
    ReplayAgent agent = scope -> {
      CompletableFuture<?>[] users = new CompletableFuture<?>[2];
      for (int i = 0; i < users.length; i++) {
        AgentScope lane = scope.agent("user-" + i, null);
        users[i] = CompletableFuture.runAsync(() -> AiServiceReplayer.ofShared(lane)
            .replay(AiServices.builder(Assistant.class)
                .chatModel(
                    executed.model(ScriptedModel.call("a", "tool", "{}"), AiMessage.from("done")))
                .tools(Tools.tool(request -> {
                  await(barrier);
                  executed.add("tool");
                  return Tools.text("met");
                })))
            .build()
            .chat("go"));
      }
      CompletableFuture.allOf(users).get();
    };
    Path directory = sessions.resolve("s");
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      agent.run(AgentScope.recording(recorder, Executors.none()));
      recorder.end(Status.SUCCESS);
    }
    Session session = Session.open(directory);
    assertThat(executed.take()).hasSize(6);
    assertThat(Recorded.read(session).isValid().toolCalls())
        .hasSize(2)
        .anySatisfy(call -> assertThat(call.id()).isEqualTo("a"))
        .anySatisfy(call -> assertThat(call.meta().extra().has("tool_call_id")).isTrue());

    assertIdentical(Replay.of(session).mode(ReplayMode.MOCK).run(agent));
    assertThat(executed.take()).isEmpty();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
