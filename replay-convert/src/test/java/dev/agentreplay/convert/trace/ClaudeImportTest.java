package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.TraceFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Transcripts of Claude Code are imported whole. */
class ClaudeImportTest {

  @TempDir
  private Path directory;

  static List<ForeignFiles.Expected> transcripts() {
    return ForeignFiles.expected("claude-code");
  }

  @ParameterizedTest
  @MethodSource("transcripts")
  void numbersAreThoseOfTheTranscript(ForeignFiles.Expected expected) throws IOException {
    ImportReport report = TraceChecks.importFile(expected.path(), directory.resolve("out"));
    TraceChecks.requireCounts(expected, report);
    TraceChecks.requireValid(report);
    TraceChecks.requireAccounted(report);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sample_session", "with_rejection", "record_types"})
  void damagedTranscriptsHaveClearOutcomes(String name) throws IOException {
    Path source = ForeignFiles.path("claude-code/" + name + ".jsonl");
    new Mutations(TraceFormat.CLAUDE_CODE, directory).requireClearOutcomesOfLines(source);
  }

  @Test
  void formatIsDetectedByStructure() throws IOException {
    for (ForeignFiles.Expected transcript : transcripts()) {
      assertThat(TraceImporter.detect(transcript.path())).isEqualTo(TraceFormat.CLAUDE_CODE);
    }
  }
}
