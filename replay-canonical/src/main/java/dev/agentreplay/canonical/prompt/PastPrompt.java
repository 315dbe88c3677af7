package dev.agentreplay.canonical.prompt;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A prompt of a log, with the data that makes it fast to match and hash the next one. */
final class PastPrompt {

  /** The assumed size of a value that is not a text, in characters. */
  private static final int VALUE_SIZE = 8;

  private final String id;

  /** The content to resolve; null once this is done. */
  private @Nullable Content unresolved;

  private @Nullable JsonObject json;
  private @Nullable PastPrompt base;
  private @Nullable PromptDigest digest;
  private @Nullable Map<JsonValue, Integer> messages;
  private long size = -1;
  private boolean differs;

  PastPrompt(String id, Content content) {
    this.id = id;
    BlobRef blob = content.blob();
    if (content.value() instanceof JsonObject object) {
      this.json = object;
    } else if (content.value() == null && blob != null) {
      this.unresolved = content;
    }
  }

  String id() {
    return id;
  }

  /** The prompt; null if it is not in memory. */
  @Nullable
  JsonObject json() {
    return json;
  }

  /** The prompt, which is in memory. */
  JsonObject known() {
    return Objects.requireNonNull(json);
  }

  /** The prompt, which is read from its blob if necessary; null if it is missing. */
  @Nullable
  JsonObject resolve(PromptHistory.Values values) throws IOException {
    Content content = unresolved;
    if (content != null) {
      unresolved = null;
      json = values.find(content) instanceof JsonObject object ? object : null;
    }
    return json;
  }

  /** Sets the prompt as a change of an earlier one, with which it shares members and messages. */
  void derive(PastPrompt from, JsonObject prompt) {
    json = prompt;
    base = from;
  }

  /** The hash of the prompt. */
  ContentHash hash(CanonicalJson canonical) {
    return digest(canonical).hash();
  }

  private PromptDigest digest(CanonicalJson canonical) {
    PromptDigest done = digest;
    if (done == null || !done.isOf(canonical)) {
      PastPrompt from = base;
      done = from == null
          ? PromptDigest.of(known(), canonical)
          : PromptDigest.of(known(), canonical, from.known(), from.digest(canonical));
      digest = done;
      dropBase();
    }
    return done;
  }

  /** Drops the base, which would keep all earlier prompts in memory. */
  void dropBase() {
    base = null;
  }

  /** Whether the prompt differs from its hash. */
  boolean differs() {
    return differs;
  }

  void setDiffers() {
    differs = true;
  }

  /** The messages with their indexes, the first one of equal messages. */
  Map<JsonValue, Integer> messages() {
    Map<JsonValue, Integer> found = messages;
    if (found == null) {
      found = index(PromptMatch.messages(known()));
      messages = found;
    }
    return found;
  }

  static Map<JsonValue, Integer> index(JsonArray array) {
    Map<JsonValue, Integer> index = new HashMap<>(array.size() * 2);
    for (int i = 0; i < array.size(); i++) {
      index.putIfAbsent(array.get(i), i);
    }
    return index;
  }

  /** The approximate length of the prompt in characters; 0 if it is not in memory. */
  long size() {
    if (size < 0) {
      size = json == null ? 0 : size(json);
    }
    return size;
  }

  /** The approximate length of a value in characters. */
  static long size(JsonValue value) {
    if (value instanceof JsonString text) {
      return text.value().length() + 2L;
    }
    long sum = VALUE_SIZE;
    if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        sum += object.name(i).length() + size(object.value(i));
      }
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        sum += size(array.get(i));
      }
    }
    return sum;
  }
}
