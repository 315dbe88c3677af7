package dev.agentreplay.io.context;

import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.json.JsonValue;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The position in a recording after which a context continues: for each lane and source, the
 * ordinal of the next value, and the versions that were recorded. Not safe for use by several
 * threads.
 */
public final class ContextPosition {

  private record Key(@Nullable String lane, String source) {}

  private final Map<Key, Long> next = new HashMap<>();
  private final Map<Key, JsonValue> versions = new HashMap<>();

  /** Creates the position at the beginning of a recording. */
  public ContextPosition() {}

  /**
   * Advances the position past a value of the recording.
   *
   * @param lane the name of the lane; null for the main one
   */
  public void add(@Nullable String lane, RecordedValue value) {
    Key key = new Key(lane, value.source());
    next.merge(key, value.ordinal() + 1, Math::max);
    if (value.source().startsWith(RecordedValue.VERSION_PREFIX)) {
      versions.putIfAbsent(key, value.value());
    }
  }

  /** The ordinal of the next value. */
  long next(@Nullable String lane, String source) {
    return Objects.requireNonNull(next.getOrDefault(new Key(lane, source), 0L));
  }

  /** The recorded version; null if there is none. */
  @Nullable
  JsonValue version(@Nullable String lane, String source) {
    return versions.get(new Key(lane, source));
  }

  /** Returns a copy that does not change with this position. */
  ContextPosition copy() {
    ContextPosition copy = new ContextPosition();
    copy.next.putAll(next);
    copy.versions.putAll(versions);
    return copy;
  }
}
