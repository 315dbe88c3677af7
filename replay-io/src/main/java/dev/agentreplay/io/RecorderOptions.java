package dev.agentreplay.io;

import dev.agentreplay.model.internal.Version;
import java.util.Objects;

/**
 * How a session is recorded.
 *
 * @param producer the program that records, as in "adjutant@1.2.3"
 * @param writer how its log is written
 */
public record RecorderOptions(String producer, WriterOptions writer) {

  /** Checks for null. */
  public RecorderOptions {
    Objects.requireNonNull(producer, "producer");
    Objects.requireNonNull(writer, "writer");
  }

  /** This library as the producer, and the default options of a writer. */
  public static RecorderOptions defaults() {
    String version = Version.of(RecorderOptions.class);
    return new RecorderOptions(
        version == null ? "agentreplay" : "agentreplay@" + version, WriterOptions.defaults());
  }

  /** With another producer. */
  public RecorderOptions withProducer(String newProducer) {
    return new RecorderOptions(newProducer, writer);
  }

  /** With other options of the writer. */
  public RecorderOptions withWriter(WriterOptions newWriter) {
    return new RecorderOptions(producer, newWriter);
  }
}
