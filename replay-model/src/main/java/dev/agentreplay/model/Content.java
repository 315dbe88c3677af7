package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A recorded value: itself, or what stands for it. The hash is always that of the full value.
 *
 * @param value the value, where the log has it
 * @param hash the hash of its canonical form; null lets the writer say
 * @param blob where the value is kept, when it is too large for the log
 * @param preview its beginning and end, for people
 */
public record Content(
    @Nullable JsonValue value,
    @Nullable ContentHash hash,
    @Nullable BlobRef blob,
    @Nullable String preview) {

  /** Neither value nor hash is known. */
  public static final Content NONE = new Content(null, null, null, null);

  /** A value; the writer computes its hash. */
  public static Content of(JsonValue value) {
    return new Content(Objects.requireNonNull(value, "value"), null, null, null);
  }

  /** A value that is not in the log. */
  public static Content ofHash(ContentHash hash) {
    return new Content(null, Objects.requireNonNull(hash, "hash"), null, null);
  }
}
