package dev.agentreplay.benchmarks;

import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** A contender: appends the line of an event to a file, so that it survives the process. */
public interface EmitContender extends Closeable {

  /** The event that is written repeatedly; its line has about 300 bytes. */
  ToolCall CALL = ToolCall.of(
          "call_00000042",
          "file_read",
          JsonObject.of("limit", 120, "offset", 40, "path", "src/main/java/org/example/Auth.java"))
      .withStepId("step_0007");

  /** The contenders. */
  enum Kind {
    /** A plain write of the bytes of the line, encoded in advance. */
    RAW_APPEND,
    /** The writer of this library: canonical, hashed, checked. */
    REPLAY_WRITER,
    /** The writer of this library, with the Merkle tree of the lines. */
    WITH_TREE,
    /** The writer of this library, with the tree and a checkpoint every 1,000 events. */
    WITH_CHECKPOINTS,
    /** A map sorted by Jackson, with the hashes of its parameters and its line. */
    JACKSON,
    /** A Log4j message in a JSON layout, flushed immediately; neither sorted nor hashed. */
    LOG4J;

    /** Creates a file and opens it for this contender. */
    EmitContender open(Path file) throws IOException {
      return switch (this) {
        case RAW_APPEND -> new EmitRaw(file);
        case REPLAY_WRITER -> new EmitReplayWriter(file, TamperEvidenceOptions.none());
        case WITH_TREE -> new EmitReplayWriter(file, TamperEvidenceOptions.defaults());
        case WITH_CHECKPOINTS ->
          new EmitReplayWriter(
              file, TamperEvidenceOptions.defaults().withCheckpointInterval(1_000));
        case JACKSON -> new EmitJackson(file);
        case LOG4J -> new EmitLog4j(file);
      };
    }
  }

  /** Appends the line of {@link #CALL} with the current time. */
  void emit() throws IOException;
}
