package dev.agentreplay.adk;

import static dev.agentreplay.adk.ScriptedModel.call;
import static dev.agentreplay.adk.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.adk.agents.LlmAgent;
import com.google.genai.types.GenerateContentConfig;
import dev.agentreplay.convert.trace.ImportOptions;
import dev.agentreplay.convert.trace.TraceImporter;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of the kit's own plugin for conformance tests are imported and replayed. */
class ImportedReplayTest {

  private static final Path RECORDINGS =
      Path.of("src/test/resources/recordings/generated-recordings.yaml");

  @TempDir
  private Path directory;

  private final Tools tools = new Tools();
  private final ScriptedModel first = ScriptedModel.byTurn(
      call("read", Map.of("path", "a.txt")),
      call("transfer_to_agent", Map.of("agent_name", "helper")));
  private final ScriptedModel second = ScriptedModel.inTurn(text("It says hello."));
  private Session imported;

  private LlmAgent agent(String instruction) {
    LlmAgent helper = LlmAgent.builder()
        .name("helper")
        .description("Answers.")
        .instruction("Answer.")
        .model(second)
        .disallowTransferToParent(true)
        .disallowTransferToPeers(true)
        .build();
    return LlmAgent.builder()
        .name("home")
        .description("Reads.")
        .instruction(instruction)
        .generateContentConfig(GenerateContentConfig.builder().temperature(0.1f).build())
        .model(first)
        .tools(tools.tool("read"))
        .subAgents(helper)
        .build();
  }

  @BeforeEach
  void importRecordings() throws Exception {
    Path out = directory.resolve("imported");
    TraceImporter.of(ImportOptions.defaults()).importFile(RECORDINGS, out);
    imported = Session.open(out);
  }

  private ReplayReport mock(LlmAgent agent, List<String> seen) throws Exception {
    return Replay.of(imported).mode(ReplayMode.MOCK).run(scope -> {
      try {
        seen.addAll(Runs.shown(Runs.run(agent, AdkReplayer.ofShared(scope).plugin())));
      } catch (RuntimeException e) {
        seen.add(e.toString());
      }
    });
  }

  @Test
  void an_imported_session_is_replayed_without_its_model_and_tools() throws Exception {
    List<String> seen = new ArrayList<>();

    ReplayReport report = mock(agent("Read it."), seen);

    assertThat(report.divergences()).isEmpty();
    assertThat(report.incomplete()).containsExactly("the recording has no end");
    assertThat(first.requests).isEmpty();
    assertThat(second.requests).isEmpty();
    assertThat(tools.take()).isEmpty();
    assertThat(seen.get(seen.size() - 1)).contains("It says hello.");
    assertThat(report.exchanges().served()).isEqualTo(5);
  }

  @Test
  void a_change_of_the_agent_is_found() throws Exception {
    ReplayReport report = mock(agent("Read all of it."), new ArrayList<>());

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergences().get(0).message()).contains("/prompt/system");
  }

  @Test
  void a_live_recording_has_the_same_calls() throws Exception {
    Session live = Runs.record(directory.resolve("live"), agent("Read it.")).session();

    Recorded known = Recorded.read(imported);
    Recorded found = Recorded.read(live);
    assertThat(found.modelCalls())
        .extracting(call -> call.prompt().value())
        .isEqualTo(
            known.modelCalls().stream().map(call -> call.prompt().value()).toList());
    assertThat(found.modelResults())
        .extracting(result -> result.answer().value())
        .isEqualTo(
            known.modelResults().stream().map(each -> each.answer().value()).toList());
    assertThat(found.toolResults())
        .extracting(result -> result.output().value())
        .isEqualTo(
            known.toolResults().stream().map(each -> each.output().value()).toList());
  }
}
