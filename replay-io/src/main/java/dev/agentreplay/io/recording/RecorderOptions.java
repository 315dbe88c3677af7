package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.model.text.LibraryVersion;
import java.util.Objects;

/**
 * How a session is recorded.
 *
 * @param producer the program that records, as in "adjutant@1.2.3"
 * @param canonicalization what lines and hashes are made with
 * @param writer how its log is written
 * @param blobThreshold a value whose canonical JSON has more bytes is kept beside the log; 1 MiB by
 *     default
 * @param failurePolicy what happens when something cannot be written
 */
public record RecorderOptions(
    String producer,
    Canonicalization canonicalization,
    WriterOptions writer,
    long blobThreshold,
    FailurePolicy failurePolicy) {

  private static final long DEFAULT_BLOB_THRESHOLD = 1 << 20;

  /** Checks for null, and that the threshold is not negative. */
  public RecorderOptions {
    Objects.requireNonNull(producer, "producer");
    Objects.requireNonNull(canonicalization, "canonicalization");
    Objects.requireNonNull(writer, "writer");
    Objects.requireNonNull(failurePolicy, "failurePolicy");
    if (blobThreshold < 0) {
      throw new IllegalArgumentException("blobThreshold must not be negative: " + blobThreshold);
    }
  }

  /**
   * This library as the producer, the canonicalization serde, default options of the writer, and
   * {@link FailurePolicy#FAIL}.
   */
  public static RecorderOptions defaults() {
    String version = LibraryVersion.find(RecorderOptions.class);
    return new RecorderOptions(
        version == null ? "agentreplay" : "agentreplay@" + version,
        Canonicalization.SERDE,
        WriterOptions.defaults(),
        DEFAULT_BLOB_THRESHOLD,
        FailurePolicy.FAIL);
  }

  /** With another producer. */
  public RecorderOptions withProducer(String newProducer) {
    return new RecorderOptions(newProducer, canonicalization, writer, blobThreshold, failurePolicy);
  }

  /** With another canonicalization. */
  public RecorderOptions withCanonicalization(Canonicalization newCanonicalization) {
    return new RecorderOptions(producer, newCanonicalization, writer, blobThreshold, failurePolicy);
  }

  /** With other options of the writer. */
  public RecorderOptions withWriter(WriterOptions newWriter) {
    return new RecorderOptions(producer, canonicalization, newWriter, blobThreshold, failurePolicy);
  }

  /** With another size, in bytes, beyond which a value is kept beside the log. */
  public RecorderOptions withBlobThreshold(long newBlobThreshold) {
    return new RecorderOptions(producer, canonicalization, writer, newBlobThreshold, failurePolicy);
  }

  /** With another policy for what cannot be written. */
  public RecorderOptions withFailurePolicy(FailurePolicy newFailurePolicy) {
    return new RecorderOptions(producer, canonicalization, writer, blobThreshold, newFailurePolicy);
  }
}
