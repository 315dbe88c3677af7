package dev.agentreplay.benchmarks;

import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** One way to append the line of an event to a file, so that it survives the process. */
public interface EmitContender extends Closeable {

  /** The event that is written over and over; its line has some 300 bytes. */
  ToolCall CALL = ToolCall.of(
          "call_00000042",
          "file_read",
          JsonObject.of("limit", 120, "offset", 40, "path", "src/main/java/org/example/Auth.java"))
      .withStepId("step_0007");

  /** The ways there are. */
  enum Kind {
    /** The bytes of the line, made beforehand. */
    RAW_APPEND,
    /** Ours: canonical, hashed, checked. */
    REPLAY_WRITER,
    /** Ours, with the tree over the lines. */
    WITH_TREE,
    /** Ours, with the tree, and a checkpoint every 1,000 events. */
    WITH_CHECKPOINTS,
    /** A map that Jackson sorts, its parameters and its line hashed. */
    JACKSON,
    /** A message of Log4j in a layout of JSON, flushed at once; neither sorted nor hashed. */
    LOG4J;

    /** Creates a file and opens it for this way of writing. */
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

  /** Appends the line of {@link #CALL}, with the time of now. */
  void emit() throws IOException;
}
