package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.recording.AgentRecorder;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions of several agents are verified lane by lane. */
class LanesTest {

  private static final int LANES = 16;

  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void session_of_many_agents_at_the_same_time_is_valid(Dialect dialect) throws Exception {
    RecorderOptions options =
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withDialect(dialect));
    ExecutorService threads = Executors.newFixedThreadPool(LANES);
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      PendingCall spawn = recorder.call("spawn", JsonObject.of("lanes", LANES));
      List<Future<?>> lanes = new ArrayList<>();
      for (int i = 0; i < LANES; i++) {
        AgentRecorder agent = recorder.agent("agent-" + i, spawn.id());
        lanes.add(threads.submit(() -> {
          for (int n = 0; n < 20; n++) {
            int number = n;
            agent.run("tool", JsonObject.of("n", n), () -> number);
            agent.modelCall(ModelCall.of("m", "gpt", Prompt.of("p"))).answer(number);
          }
          return null;
        }));
      }
      for (Future<?> lane : lanes) {
        lane.get();
      }
      spawn.result("done");
      recorder.end(Status.SUCCESS, 1);
    } finally {
      threads.shutdown();
    }

    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));

    assertThat(report.verdict()).as("%s", report.findings()).isEqualTo(Verdict.VALID);
    assertThat(report.findings())
        .allMatch(finding -> finding.code() == FindingCode.DUPLICATE_CALL_ID);
  }

  @Test
  void result_of_a_different_agent_answers_the_only_call_with_its_id() throws IOException {
    assertThat(findings(false)).doesNotContain(FindingCode.RESULT_WITHOUT_CALL);
  }

  @Test
  void result_of_a_different_agent_answers_none_of_several_calls() throws IOException {
    assertThat(findings(true))
        .contains(
            FindingCode.RESULT_WITHOUT_CALL,
            FindingCode.MODEL_RESULT_WITHOUT_CALL,
            FindingCode.CALL_WITHOUT_RESULT,
            FindingCode.MODEL_CALL_WITHOUT_RESULT);
  }

  private List<FindingCode> findings(boolean areSeveral) throws IOException {
    Path log = directory.resolve("log.jsonl");
    Meta one = Meta.NONE.withAgent("one").withParent("never recorded");
    Meta two = Meta.NONE.withAgent("two");
    Meta three = Meta.NONE.withAgent("three");
    try (ReplayWriter writer = ReplayWriter.create(log, ReplayHeader.of("p"))) {
      writer.emit(SessionStart.of("s"));
      if (areSeveral) {
        writer.emit(ToolCall.of("c", "tool", JsonNumber.of(1)).withMeta(three));
        writer.emit(ModelCall.of("m", "gpt", Prompt.of("p")).withMeta(three));
      }
      writer.emit(ToolCall.of("c", "tool", JsonNumber.of(1)).withMeta(one));
      writer.emit(ToolResult.of("c", 1).withLatencyMillis(1L).withMeta(two));
      writer.emit(ModelCall.of("m", "gpt", Prompt.of("p")).withMeta(one));
      writer.emit(ModelResult.of("m", "a").withMeta(two));
    }

    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(new Session(log, null));

    return report.findings().stream().map(Finding::code).toList();
  }
}
