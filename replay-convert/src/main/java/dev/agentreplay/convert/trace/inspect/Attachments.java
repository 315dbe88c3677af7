package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a sample that are stored once, and referred to by a hash, or in a chunked sample by
 * an index. A reference is replaced by its text where the text becomes a part of an event. Not safe
 * for use by several threads.
 */
final class Attachments {

  private static final String PROTOCOL = "attachment://";

  /** The protocol of references in logs of 2024. */
  private static final String OLD_PROTOCOL = "tc://";

  /** The maximum size of the texts that are put in place of references, in a sample. */
  private static final long MAX_SIZE = 64L << 20;

  private final Map<String, JsonValue> texts = new LinkedHashMap<>();
  private final Set<String> placed = new HashSet<>();
  private final Set<String> referred = new HashSet<>();
  private final Set<String> missing = new HashSet<>();
  private long size;
  private boolean isTooLong;

  /** Adds a text by its hash or index. */
  void add(String key, JsonValue text) {
    texts.put(key, text);
  }

  /** Whether references were left as they are, because their texts are too long together. */
  boolean isTooLong() {
    return isTooLong;
  }

  /** The number of texts that are referred to, and missing. */
  int missing() {
    return missing.size();
  }

  /** Returns a value with each reference in it replaced by its text; the same if it has none. */
  JsonValue resolve(JsonValue value) {
    if (value instanceof JsonString text) {
      String key = key(text.value());
      if (key == null) {
        return value;
      }
      JsonValue attached = texts.get(key);
      if (attached == null) {
        missing.add(key);
        return value;
      }
      long length = PromptDelta.size(attached);
      if (size + length > MAX_SIZE) {
        isTooLong = true;
        referred.add(key);
        return value;
      }
      size += length;
      placed.add(key);
      return attached;
    } else if (value instanceof JsonObject object) {
      return resolveMembers(object);
    } else if (value instanceof JsonArray array) {
      return resolveElements(array);
    }
    return value;
  }

  private JsonObject resolveMembers(JsonObject object) {
    JsonObject resolved = object;
    for (int i = 0; i < object.size(); i++) {
      JsonValue changed = resolve(object.value(i));
      resolved = changed == object.value(i) ? resolved : resolved.with(object.name(i), changed);
    }
    return resolved;
  }

  private JsonArray resolveElements(JsonArray array) {
    List<JsonValue> resolved = null;
    for (int i = 0; i < array.size(); i++) {
      JsonValue changed = resolve(array.get(i));
      if (changed != array.get(i)) {
        resolved = resolved == null ? new ArrayList<>(array.values()) : resolved;
        resolved.set(i, changed);
      }
    }
    return resolved == null ? array : JsonArray.copyOf(resolved);
  }

  /** The key of a reference; null if the text is none. */
  private @Nullable String key(String text) {
    String protocol = text.startsWith(PROTOCOL) ? PROTOCOL : OLD_PROTOCOL;
    if (!text.startsWith(protocol)) {
      return null;
    }
    String key = text.substring(protocol.length());
    boolean isReference = texts.containsKey(key) || key.matches("[0-9a-f]{32}");
    return isReference ? key : null;
  }

  /** States that the references in a value are kept as they are. */
  void refer(JsonValue value) {
    if (value instanceof JsonString text) {
      String key = key(text.value());
      if (key != null) {
        referred.add(key);
      }
    } else if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        refer(object.value(i));
      }
    } else if (value instanceof JsonArray array) {
      array.forEach(this::refer);
    }
  }

  /** The texts that are in no event, or that something that is kept refers to. */
  JsonObject kept() {
    JsonObject.Builder kept = JsonObject.builder();
    texts.forEach((key, text) -> {
      if (!placed.contains(key) || referred.contains(key)) {
        kept.add(key, text);
      }
    });
    return kept.build();
  }
}
