package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first event of a log: which format it is in, and who wrote it. Its time is when the log was
 * created.
 *
 * @param version the version of the format: "1" for REPLAY.jsonl v1
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

  /** The version of the format that this library writes. */
  public static final String VERSION = "1";

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
}
