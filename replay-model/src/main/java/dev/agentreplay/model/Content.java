package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Preview;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A recorded value: the value itself, its hash, a reference to the blob that holds it, a preview,
 * or several of these. The hash is always that of the full value.
 *
 * <p>The caller of a recorder may leave out hash, blob and preview, which the recorder derives from
 * the value. A recorder rejects a hash, blob or preview that does not match {@code value}, or the
 * value in the blob. A reference to a blob that the session does not have cannot be checked: it is
 * recorded as given, with its preview, and is invalid if the blob turns out to hold something else.
 *
 * @param value the value; null when it is not in the log
 * @param hash the SHA-256 of the canonical form of the value; null lets the writer compute it
 * @param blob the reference to the blob that holds the value when it is too large for the log; else
 *     null
 * @param preview the beginning and end of the value, for people: {@link Preview#ofOutput} of a
 *     text, or of the canonical JSON of any other value
 */
public record Content(
    @Nullable JsonValue value,
    @Nullable ContentHash hash,
    @Nullable BlobRef blob,
    @Nullable String preview) {

  /** Content of which neither value nor hash is known. */
  public static final Content NONE = new Content(null, null, null, null);

  /** Creates content with a value; the writer computes its hash. */
  public static Content of(JsonValue value) {
    return new Content(Objects.requireNonNull(value, "value"), null, null, null);
  }

  /** Whether nothing is known of it. */
  public boolean isEmpty() {
    return value == null && preview == null && !lacksValue();
  }

  /** Whether there is a value that is not known, only its hash or a reference to its blob. */
  public boolean lacksValue() {
    return value == null && (hash != null || blob != null);
  }

  /** Creates content of which only the hash is recorded. */
  public static Content ofHash(ContentHash hash) {
    return new Content(null, Objects.requireNonNull(hash, "hash"), null, null);
  }
}
