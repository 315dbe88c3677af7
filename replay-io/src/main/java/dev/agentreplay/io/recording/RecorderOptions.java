package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.text.LibraryVersion;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options for recording a session. Immutable.
 *
 * @param producer the program that records, as in "adjutant@1.2.3"
 * @param canonicalization the canonical form of lines and hashed values
 * @param writer the options for writing the log
 * @param blobThreshold the maximum length of parameters, an output, prompt, answer or payload in
 *     the log, in bytes of canonical JSON; a longer value is stored in a blob next to the log, but
 *     in the dialect {@code draft} parameters and outputs always stay in the log. 1 MiB by default
 * @param fullPrompts whether each model call is written with its full prompt, so that its line can
 *     be understood by itself; by default the log holds what is new in a prompt, see
 *     {@link dev.agentreplay.model.PromptDelta}
 * @param failurePolicy the behavior when an event or a blob cannot be written
 * @param context the values of {@link SessionRecorder#context()}. With a clock other than that of
 *     the system, the times of events are those of a clock of the same kind, unless the options of
 *     the writer have a clock of their own, and latencies are 0
 * @param salted whether the header of a new log has a fresh {@link dev.agentreplay.model.Salt},
 *     without which the content of a log may be guessed from its published hashes; true by default.
 *     A recording with a {@linkplain ContextOptions#isReproducible reproducible} context has none,
 *     so that two runs have the same bytes
 * @param replayOf the session that a new one is a replay of, for its header; null by default, which
 *     means that it is not a replay. A session that is resumed keeps the header it has
 * @param forkedFrom the point of a recording at which a new session is forked from it, for its
 *     header; null by default, which means that it is not a fork
 * @param circumstances the settings that are recorded after the start of the session, and the
 *     capture of its workspace; none by default
 * @param redactor the redactor of the events before they are stored; null by default, for none
 */
public record RecorderOptions(
    String producer,
    Canonicalization canonicalization,
    WriterOptions writer,
    long blobThreshold,
    boolean fullPrompts,
    FailurePolicy failurePolicy,
    ContextOptions context,
    boolean salted,
    @Nullable ReplayOrigin replayOf,
    @Nullable ForkOrigin forkedFrom,
    Circumstances circumstances,
    @Nullable Redactor redactor) {

  private static final long DEFAULT_BLOB_THRESHOLD = 1 << 20;

  /** Checks for null, and that the threshold is not negative. */
  public RecorderOptions {
    Objects.requireNonNull(producer, "producer");
    Objects.requireNonNull(canonicalization, "canonicalization");
    Objects.requireNonNull(writer, "writer");
    Objects.requireNonNull(failurePolicy, "failurePolicy");
    Objects.requireNonNull(context, "context");
    Objects.requireNonNull(circumstances, "circumstances");
    if (blobThreshold < 0) {
      throw new IllegalArgumentException("blobThreshold must not be negative: " + blobThreshold);
    }
  }

  /**
   * The default options: this library as the producer, the canonicalization {@code serde}, the
   * default options of the writer, a blob threshold of 1 MiB, {@link FailurePolicy#FAIL}, a context
   * that records nothing, and a salt.
   */
  public static RecorderOptions defaults() {
    String version = LibraryVersion.find(RecorderOptions.class);
    return new RecorderOptions(
        version == null ? "agentreplay" : "agentreplay@" + version,
        Canonicalization.SERDE,
        WriterOptions.defaults(),
        DEFAULT_BLOB_THRESHOLD,
        false,
        FailurePolicy.FAIL,
        ContextOptions.defaults(),
        true,
        null,
        null,
        Circumstances.none(),
        null);
  }

  /** Returns these options with a different producer. */
  public RecorderOptions withProducer(String newProducer) {
    return new RecorderOptions(
        newProducer,
        canonicalization,
        writer,
        blobThreshold,
        fullPrompts,
        failurePolicy,
        context,
        salted,
        replayOf,
        forkedFrom,
        circumstances,
        redactor);
  }

  /** Returns these options with a different canonicalization. */
  public RecorderOptions withCanonicalization(Canonicalization newCanonicalization) {
    return new RecorderOptions(
        producer,
        newCanonicalization,
        writer,
        blobThreshold,
        fullPrompts,
        failurePolicy,
        context,
        salted,
        replayOf,
        forkedFrom,
        circumstances,
        redactor);
  }

  /** Returns these options with different options of the writer. */
  public RecorderOptions withWriter(WriterOptions newWriter) {
    return new RecorderOptions(
        producer,
        canonicalization,
        newWriter,
        blobThreshold,
        fullPrompts,
        failurePolicy,
        context,
        salted,
        replayOf,
        forkedFrom,
        circumstances,
        redactor);
  }

  /** Returns these options with a different blob threshold, in bytes. */
  public RecorderOptions withBlobThreshold(long newBlobThreshold) {
    return new RecorderOptions(
        producer,
        canonicalization,
        writer,
        newBlobThreshold,
        fullPrompts,
        failurePolicy,
        context,
        salted,
        replayOf,
        forkedFrom,
        circumstances,
        redactor);
  }

  /** Returns these options with full prompts, or changes of earlier ones. */
  public RecorderOptions withFullPrompts(boolean newFullPrompts) {
    return new RecorderOptions(
        producer,
        canonicalization,
        writer,
        blobThreshold,
        newFullPrompts,
        failurePolicy,
        context,
        salted,
        replayOf,
        forkedFrom,
        circumstances,
        redactor);
  }

  /** Returns these options with a different failure policy. */
  public RecorderOptions withFailurePolicy(FailurePolicy newFailurePolicy) {
    return new RecorderOptions(
        producer,
        canonicalization,
        writer,
        blobThreshold,
        fullPrompts,
        newFailurePolicy,
        context,
        salted,
        replayOf,
        forkedFrom,
        circumstances,
        redactor);
  }

  /**
   * Returns these options with different options of the context. The deterministic ones make equal
   * runs of an agent equal recordings, byte for byte:
   *
   * <pre>{@code
   * RecorderOptions options =
   *     RecorderOptions.defaults().withContext(ContextOptions.deterministic());
   * }</pre>
   */
  public RecorderOptions withContext(ContextOptions newContext) {
    return new RecorderOptions(
        producer,
        canonicalization,
        writer,
        blobThreshold,
        fullPrompts,
        failurePolicy,
        newContext,
        salted,
        replayOf,
        forkedFrom,
        circumstances,
        redactor);
  }

  /** Returns these options with a salt in the header, or without one. */
  public RecorderOptions withSalted(boolean newSalted) {
    return new RecorderOptions(
        producer,
        canonicalization,
        writer,
        blobThreshold,
        fullPrompts,
        failurePolicy,
        context,
        newSalted,
        replayOf,
        forkedFrom,
        circumstances,
        redactor);
  }

  /** Returns these options for a replay of the given session; null for one that is not a replay. */
  public RecorderOptions withReplayOf(@Nullable ReplayOrigin newReplayOf) {
    return new RecorderOptions(
        producer,
        canonicalization,
        writer,
        blobThreshold,
        fullPrompts,
        failurePolicy,
        context,
        salted,
        newReplayOf,
        forkedFrom,
        circumstances,
        redactor);
  }

  /** Returns these options for a fork of a recording; null for a session that is not a fork. */
  public RecorderOptions withForkedFrom(@Nullable ForkOrigin newForkedFrom) {
    return new RecorderOptions(
        producer,
        canonicalization,
        writer,
        blobThreshold,
        fullPrompts,
        failurePolicy,
        context,
        salted,
        replayOf,
        newForkedFrom,
        circumstances,
        redactor);
  }

  /**
   * Returns these options with circumstances that are recorded when a session starts:
   *
   * <pre>{@code
   * RecorderOptions options =
   *     RecorderOptions.defaults().withCircumstances(Circumstances.defaults());
   * }</pre>
   */
  public RecorderOptions withCircumstances(Circumstances newCircumstances) {
    return new RecorderOptions(
        producer,
        canonicalization,
        writer,
        blobThreshold,
        fullPrompts,
        failurePolicy,
        context,
        salted,
        replayOf,
        forkedFrom,
        newCircumstances,
        redactor);
  }

  /**
   * Returns these options with a redactor that removes secrets from events before they are stored;
   * null for none.
   */
  public RecorderOptions withRedactor(@Nullable Redactor newRedactor) {
    return new RecorderOptions(
        producer,
        canonicalization,
        writer,
        blobThreshold,
        fullPrompts,
        failurePolicy,
        context,
        salted,
        replayOf,
        forkedFrom,
        circumstances,
        newRedactor);
  }
}
