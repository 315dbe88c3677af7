package dev.agentreplay.model;

import dev.agentreplay.model.text.Excerpt;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first event of a log, which states the version of the format, the producer and the
 * canonicalization. Its time is the time at which the log was created.
 *
 * @param version the version of the format: "1" for REPLAY.jsonl v1, "1.0.0" in the draft dialect
 * @param producer the program that wrote the log, as in "adjutant@1.2.3"
 * @param policy the policy that the session ran under, in dialects whose header states it
 * @param canonicalization the canonicalization profile that the hashes were computed with; null
 *     means "serde"
 * @param salt the secret of the log from which the salts of single values are derived; null if the
 *     log is not salted
 * @param replayOf the session that this one is a replay of; null if it is not a replay
 * @param meta the data common to all events
 */
public record ReplayHeader(
    String version,
    @Nullable String producer,
    @Nullable PolicyId policy,
    @Nullable String canonicalization,
    @Nullable Salt salt,
    @Nullable ReplayOrigin replayOf,
    Meta meta)
    implements ReplayEvent {

  /** The version of the format that this library writes in all dialects except the draft. */
  public static final String VERSION = "1";

  private static final Pattern FIRST_MAJOR = Pattern.compile("1(\\.\\d{1,9}){0,2}");

  /** The support for a version of the format. */
  public enum Support {
    /** The version is one that this library writes. */
    SUPPORTED,
    /** The version is a later minor version, which may only have added events and members. */
    NEWER,
    /** The version is not one that this library can read. */
    UNSUPPORTED
  }

  /** Checks for null. */
  public ReplayHeader {
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates the header of a new log, without a salt. */
  public static ReplayHeader of(String producer) {
    return new ReplayHeader(
        VERSION, Objects.requireNonNull(producer, "producer"), null, null, null, null, Meta.NONE);
  }

  /**
   * Returns the support for a log with this header. All versions with the major version 1 can be
   * read (specification 000, "Versioning": members can be added, existing ones keep their meaning).
   */
  public Support support() {
    if (!FIRST_MAJOR.matcher(version).matches()) {
      return Support.UNSUPPORTED;
    }
    boolean first = version.equals(VERSION) || version.matches("1\\.0+(\\.0+)?");
    return first ? Support.SUPPORTED : Support.NEWER;
  }

  /** Returns a copy with the given version. */
  public ReplayHeader withVersion(String newVersion) {
    return new ReplayHeader(newVersion, producer, policy, canonicalization, salt, replayOf, meta);
  }

  /** Returns a copy with the given producer. */
  public ReplayHeader withProducer(@Nullable String newProducer) {
    return new ReplayHeader(version, newProducer, policy, canonicalization, salt, replayOf, meta);
  }

  /** Returns a copy with the given policy; null removes it. */
  public ReplayHeader withPolicy(@Nullable PolicyId newPolicy) {
    return new ReplayHeader(version, producer, newPolicy, canonicalization, salt, replayOf, meta);
  }

  /** Returns a copy with the given canonicalization; null removes it, which means {@code serde}. */
  public ReplayHeader withCanonicalization(@Nullable String newCanonicalization) {
    return new ReplayHeader(version, producer, policy, newCanonicalization, salt, replayOf, meta);
  }

  /** Returns a copy with the given salt; null removes it. */
  public ReplayHeader withSalt(@Nullable Salt newSalt) {
    return new ReplayHeader(version, producer, policy, canonicalization, newSalt, replayOf, meta);
  }

  /** Returns a copy with the given session that this one is a replay of; null removes it. */
  public ReplayHeader withReplayOf(@Nullable ReplayOrigin newReplayOf) {
    return new ReplayHeader(version, producer, policy, canonicalization, salt, newReplayOf, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.REPLAY_HEADER;
  }

  @Override
  public ReplayHeader withMeta(Meta newMeta) {
    return new ReplayHeader(version, producer, policy, canonicalization, salt, replayOf, newMeta);
  }

  /**
   * The message about a version that is not {@linkplain Support#SUPPORTED supported}: that the log
   * cannot be read, or not completely; null when the version is supported.
   */
  public @Nullable String versionFault() {
    return switch (support()) {
      case SUPPORTED -> null;
      case NEWER ->
        "the log is of version %s, later than 1: its additions are kept, but not interpreted"
            .formatted(Excerpt.of(version));
      case UNSUPPORTED ->
        (version.isEmpty()
                ? "the header does not state a version that can be read"
                : "the log is of version " + Excerpt.of(version))
            + ": only versions 1 and 1.x are supported";
    };
  }
}
