package dev.agentreplay.io;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.model.internal.Version;
import java.util.Objects;

/**
 * How a session is recorded.
 *
 * @param producer the program that records, as in "adjutant@1.2.3"
 * @param canonicalization what lines and hashes are made with
 * @param writer how its log is written
 */
public record RecorderOptions(
    String producer, Canonicalization canonicalization, WriterOptions writer) {

  /** Checks for null. */
  public RecorderOptions {
    Objects.requireNonNull(producer, "producer");
    Objects.requireNonNull(canonicalization, "canonicalization");
    Objects.requireNonNull(writer, "writer");
  }

  /** This library as the producer, the canonicalization serde, default options of the writer. */
  public static RecorderOptions defaults() {
    String version = Version.of(RecorderOptions.class);
    return new RecorderOptions(
        version == null ? "agentreplay" : "agentreplay@" + version,
        Canonicalization.SERDE,
        WriterOptions.defaults());
  }

  /** With another producer. */
  public RecorderOptions withProducer(String newProducer) {
    return new RecorderOptions(newProducer, canonicalization, writer);
  }

  /** With another canonicalization. */
  public RecorderOptions withCanonicalization(Canonicalization newCanonicalization) {
    return new RecorderOptions(producer, newCanonicalization, writer);
  }

  /** With other options of the writer. */
  public RecorderOptions withWriter(WriterOptions newWriter) {
    return new RecorderOptions(producer, canonicalization, newWriter);
  }
}
