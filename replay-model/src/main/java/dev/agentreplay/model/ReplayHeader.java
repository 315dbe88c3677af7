package dev.agentreplay.model;

import dev.agentreplay.model.text.Excerpt;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first event of a log: which format it is in, and who wrote it. Its time is when the log was
 * created.
 *
 * @param version the version of the format: "1" for REPLAY.jsonl v1, "1.0.0" in the draft of it
 * @param producer the program that wrote the log, as in "adjutant@1.2.3"
 * @param policy the policy the session ran under, in dialects that say so here
 * @param canonicalization the profile its hashes were made with; null means "serde"
 * @param meta what every event has
 */
public record ReplayHeader(
    String version,
    @Nullable String producer,
    @Nullable PolicyId policy,
    @Nullable String canonicalization,
    Meta meta)
    implements ReplayEvent {

  /** The version of the format that this library writes, but for the draft. */
  public static final String VERSION = "1";

  private static final Pattern FIRST_MAJOR = Pattern.compile("1(\\.\\d{1,9}){0,2}");

  /** Whether a log of a version can be read. */
  public enum Support {
    /** It is a version that this library writes. */
    SUPPORTED,
    /** It is a later one, which may only have added events and members. */
    NEWER,
    /** It is none that can be read. */
    UNSUPPORTED
  }

  /** Checks for null. */
  public ReplayHeader {
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(meta, "meta");
  }

  /** The header of a new log. */
  public static ReplayHeader of(String producer) {
    return new ReplayHeader(
        VERSION, Objects.requireNonNull(producer, "producer"), null, null, Meta.NONE);
  }

  /**
   * Whether a log with this header can be read: all versions with the major version 1 can (000,
   * "Versioning": members can be added, what there is must be read as before).
   */
  public Support support() {
    if (!FIRST_MAJOR.matcher(version).matches()) {
      return Support.UNSUPPORTED;
    }
    boolean first = version.equals(VERSION) || version.matches("1\\.0+(\\.0+)?");
    return first ? Support.SUPPORTED : Support.NEWER;
  }

  /** This header of a log of another version. */
  public ReplayHeader withVersion(String newVersion) {
    return new ReplayHeader(newVersion, producer, policy, canonicalization, meta);
  }

  /** This header, naming another producer. */
  public ReplayHeader withProducer(@Nullable String newProducer) {
    return new ReplayHeader(version, newProducer, policy, canonicalization, meta);
  }

  /** This header, naming a policy, or none. */
  public ReplayHeader withPolicy(@Nullable PolicyId newPolicy) {
    return new ReplayHeader(version, producer, newPolicy, canonicalization, meta);
  }

  /** This header, naming a canonicalization; null names none, which means {@code serde}. */
  public ReplayHeader withCanonicalization(@Nullable String newCanonicalization) {
    return new ReplayHeader(version, producer, policy, newCanonicalization, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.REPLAY_HEADER;
  }

  @Override
  public ReplayHeader withMeta(Meta newMeta) {
    return new ReplayHeader(version, producer, policy, canonicalization, newMeta);
  }

  /** Why the log may not be read as its writer meant it, in words; null if its version is known. */
  public @Nullable String versionFault() {
    return switch (support()) {
      case SUPPORTED -> null;
      case NEWER ->
        "the log is of version %s, later than 1: what it may have added is kept, but not understood"
            .formatted(Excerpt.of(version));
      case UNSUPPORTED ->
        (version.isEmpty()
                ? "the header states no version that can be read"
                : "the log is of version " + Excerpt.of(version))
            + ", and only version 1 and what was added to it are supported";
    };
  }
}
