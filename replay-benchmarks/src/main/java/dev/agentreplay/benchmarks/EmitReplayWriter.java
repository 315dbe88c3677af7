package dev.agentreplay.benchmarks;

import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.model.ReplayHeader;
import java.io.IOException;
import java.nio.file.Path;

/** Writes with {@link ReplayWriter#emit} and default options. */
final class EmitReplayWriter implements EmitContender {

  private final ReplayWriter writer;

  EmitReplayWriter(Path file, TamperEvidenceOptions evidence) throws IOException {
    writer = ReplayWriter.create(
        file, ReplayHeader.of("benchmarks"), WriterOptions.defaults().withEvidence(evidence));
  }

  @Override
  public void emit() throws IOException {
    writer.emit(CALL);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
