package dev.agentreplay.convert.trace;

import static dev.agentreplay.convert.trace.ClaudeLines.ASK;
import static dev.agentreplay.convert.trace.ClaudeLines.answer;
import static dev.agentreplay.convert.trace.ClaudeLines.side;
import static dev.agentreplay.convert.trace.ClaudeLines.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.model.ModelCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that belong to a transcript of Claude Code. */
class ClaudeFilesTest {

  @TempDir
  private Path directory;

  private ImportedEvents imported(String... lines) throws IOException {
    return ImportedEvents.of(directory, "s1.jsonl", lines);
  }

  private List<ImportReport> importedAll(Path project) throws IOException {
    List<ImportReport> reports = new ArrayList<>();
    TraceImporter.of(ImportOptions.defaults())
        .importAll(project, directory.resolve("all"), reports::add);
    return reports;
  }

  @Test
  void filesOfSubAgentsNextToTheTranscriptAreReadWithIt_ifTheyAreOfItsSession() throws IOException {
    Files.writeString(directory.resolve("agent-x7.jsonl"), side(answer("b1", "msg_b", "[]"), "x7"));
    Files.writeString(
        directory.resolve("agent-z9.jsonl"),
        side(answer("b1", "msg_z", "[]"), "z9").replace("s1", "s9"));

    ImportedEvents imported = imported(ASK);

    assertThat(imported.of(ModelCall.class)).extracting(ModelCall::id).containsExactly("msg_b");
    List<ImportReport> reports = new ArrayList<>();
    Files.createDirectory(directory.resolve("project"));
    for (String file : List.of("s1.jsonl", "agent-x7.jsonl", "agent-z9.jsonl")) {
      Files.copy(directory.resolve(file), directory.resolve("project").resolve(file));
    }
    TraceImporter.of(ImportOptions.defaults())
        .importAll(directory.resolve("project"), directory.resolve("all"), reports::add);
    assertThat(reports)
        .extracting(report -> report.source().getFileName().toString())
        .containsExactly("agent-z9.jsonl", "s1.jsonl");
  }

  @Test
  void transcriptWithASnapshotFirst_hasItsSubAgents() throws IOException {
    Path project = Files.createDirectory(directory.resolve("project"));
    Files.writeString(
        project.resolve("s1.jsonl"),
        "{\"type\":\"file-history-snapshot\",\"messageId\":\"u1\",\"snapshot\":{}}\n" + ASK);
    Files.writeString(
        project.resolve("agent-x7.jsonl"),
        "{\"type\":\"summary\",\"leafUuid\":\"u1\"}\n" + side(answer("b1", "msg_b", "[]"), "x7")
            + "\n");

    List<ImportReport> reports = importedAll(project);

    assertThat(reports).singleElement().satisfies(report -> assertThat(
            report.sessions().get(0).counts().modelCalls())
        .isEqualTo(1));
  }

  @Test
  void outputsOfToolsAreNoTraces() throws IOException {
    Path project = Files.createDirectory(directory.resolve("project"));
    Files.writeString(project.resolve("s1.jsonl"), ASK);
    Path results = Files.createDirectories(project.resolve("s1").resolve("tool-results"));
    Files.writeString(results.resolve("t1.txt"), ASK + "\n");

    assertThat(importedAll(project)).hasSize(1);
  }

  @Test
  void symbolicLinksAreNotFollowed() throws IOException {
    Path secret = Files.createDirectory(directory.resolve("other"));
    Files.writeString(secret.resolve("t1.txt"), "TOP-SECRET");
    Files.writeString(secret.resolve("agent-x7.jsonl"), side(user("x1", "TOP-SECRET"), "x7"));
    Path results = Files.createDirectories(directory.resolve("s1").resolve("tool-results"));
    Files.createSymbolicLink(results.resolve("t1.txt"), secret.resolve("t1.txt"));
    Files.createSymbolicLink(directory.resolve("s1").resolve("subagents"), secret);
    Files.createSymbolicLink(directory.resolve("agent-x7.jsonl"), secret.resolve("agent-x7.jsonl"));

    ImportedEvents imported = imported(ASK);

    assertThat(imported.report().faultCount()).isEqualTo(2);
    assertThat(directory.resolve("out-s1.jsonl").resolve("REPLAY.jsonl"))
        .content()
        .doesNotContain("TOP-SECRET");
  }

  @Test
  void fileOfASubAgentThatChanged_isLookedIntoAgain() throws IOException {
    Path project = Files.createDirectory(directory.resolve("project"));
    Files.writeString(project.resolve("s1.jsonl"), ASK);
    Path agent = project.resolve("agent-x7.jsonl");
    Files.writeString(agent, side(user("x1", "x"), "x7").replace("s1", "of another session"));
    assertThat(importedAll(project)).hasSize(2);

    Files.writeString(agent, side(user("x1", "x"), "x7"));
    assertThat(importedAll(project)).hasSize(1);
  }
}
