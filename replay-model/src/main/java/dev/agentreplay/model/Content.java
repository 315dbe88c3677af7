package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Preview;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A recorded value: itself, or what stands for it. The hash is always that of the full value.
 *
 * <p>The caller of a recorder may leave out hash, blob and preview, which follow from the value. A
 * recorder refuses others than those of {@code value}, or of the value in the blob. A reference to
 * a blob that the session does not have cannot be checked: it is recorded as it is given, with its
 * preview, and is invalid if the blob turns out to hold something else.
 *
 * @param value the value, where the log has it
 * @param hash the hash of its canonical form; null lets the writer say
 * @param blob where the value is kept, when it is too large for the log
 * @param preview its beginning and end, for people: {@link Preview#ofOutput} of a text, or of the
 *     canonical JSON of any other value
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
