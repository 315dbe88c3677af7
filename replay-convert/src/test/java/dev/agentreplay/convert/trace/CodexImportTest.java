package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.TraceFormat;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rollouts of Codex are imported whole. */
class CodexImportTest {

  @TempDir
  private Path directory;

  static List<ForeignFiles.Expected> rollouts() {
    return ForeignFiles.expected("codex");
  }

  @ParameterizedTest
  @MethodSource("rollouts")
  void numbersAreThoseOfTheRollout(ForeignFiles.Expected expected) throws IOException {
    ImportReport report = TraceChecks.importFile(expected.path(), directory.resolve("out"));
    TraceChecks.requireCounts(expected, report);
    TraceChecks.requireValid(report);
    TraceChecks.requireAccounted(report);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "made_all_records_0.153.jsonl",
        "made_exec_stream.jsonl",
        "made_first_version.jsonl",
        "made_parallel_calls_0.44.jsonl",
      })
  void damagedRolloutsHaveClearOutcomes(String name) throws IOException {
    new Mutations(TraceFormat.CODEX, directory)
        .requireClearOutcomesOfLines(ForeignFiles.path("codex/" + name));
  }

  @Test
  void formatIsDetectedByStructure() throws IOException {
    for (ForeignFiles.Expected rollout : rollouts()) {
      assertThat(TraceImporter.detect(rollout.path())).isEqualTo(TraceFormat.CODEX);
    }
  }

  @Test
  void recordsOfAllVersionsAreKnown() throws IOException {
    for (String name : List.of("made_all_records_0.153", "made_exec_stream", "rollout_0.40")) {
      ImportReport report = TraceChecks.importFile(
          ForeignFiles.path("codex/" + name + ".jsonl"), directory.resolve(name));
      assertThat(report.sessions())
          .allSatisfy(session -> assertThat(session.unknownRecords()).isEmpty());
    }
  }

  @Test
  void compressedRolloutOfSeveralFramesIsTheSame() throws IOException {
    Path plain = ForeignFiles.path("codex/rollout_0.40.jsonl");
    byte[] bytes = Files.readAllBytes(plain);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int from = 0; from < bytes.length; from += 3_000) {
      frames.writeBytes(
          frame(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + 3_000))));
    }
    Path compressed =
        Files.write(directory.resolve("rollout_0.40.jsonl.zst"), frames.toByteArray());

    ImportReport report = TraceChecks.importFile(compressed, directory.resolve("a"));

    assertThat(TraceImporter.detect(compressed)).isEqualTo(TraceFormat.CODEX);
    TraceChecks.requireValid(report);
    assertThat(report.sessions().get(0).counts())
        .isEqualTo(TraceChecks.importFile(plain, directory.resolve("b"))
            .sessions()
            .get(0)
            .counts());
  }

  private static byte[] frame(byte[] bytes) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    try (OutputStream out = new ZstdOutputStream(frame)) {
      out.write(bytes);
    }
    return frame.toByteArray();
  }

  @Test
  void streamsOfSeveralThreadsAreSeveralSessions() throws IOException {
    ImportReport report = TraceChecks.importFile(
        ForeignFiles.path("codex/made_exec_stream.jsonl"), directory.resolve("out"));

    assertThat(report.sessions())
        .extracting(ImportedSession::name)
        .containsExactly("thread-1", "thread-2");
  }
}
