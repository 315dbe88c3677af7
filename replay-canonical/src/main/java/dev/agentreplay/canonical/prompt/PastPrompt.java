package dev.agentreplay.canonical.prompt;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A prompt of a log, with the data that makes it fast to match and hash the next one. */
final class PastPrompt {

  private final String id;
  private final @Nullable String agent;

  /** The size of the prompt as it is written. */
  private final long writtenSize;

  /** The content to resolve; null once this is done. */
  private @Nullable Content unresolved;

  private @Nullable JsonObject json;

  /** The maximum size of the prompt in full; 0 if it was not computed. */
  private long maxSize;

  private @Nullable PastPrompt base;
  private @Nullable PromptDigest digest;
  private @Nullable Map<JsonValue, Integer> messages;
  private boolean differs;
  private boolean isOther;

  /**
   * Creates the prompt of a call.
   *
   * @param written the call as it is written
   */
  PastPrompt(ModelCall written) {
    this.id = written.id();
    this.agent = written.meta().agent();
    Content content = written.prompt();
    PromptDelta delta = written.promptDelta();
    BlobRef blob = content.blob();
    JsonValue value = content.value();
    if (value instanceof JsonObject object) {
      this.json = object;
    } else if (value == null && blob != null) {
      this.unresolved = content;
    }
    this.isOther = value != null && json == null;
    this.writtenSize = (value == null ? 0 : PromptDelta.size(value))
        + (delta == null ? 0 : delta.writtenSize())
        + (blob == null ? 0 : Math.max(0, blob.bytes()));
  }

  String id() {
    return id;
  }

  /** The agent that made the call; null if it is not stated. */
  @Nullable
  String agent() {
    return agent;
  }

  /**
   * The size of the prompt as it is written: in full, as a change, with the elements that this
   * takes from its base, or as the bytes of a blob.
   */
  long writtenSize() {
    return writtenSize;
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
      JsonValue found = values.find(content);
      json = found instanceof JsonObject object ? object : null;
      isOther = found != null && json == null;
    }
    return json;
  }

  /** Whether the prompt is known, and not an object. */
  boolean isOther() {
    return isOther;
  }

  /** Sets the prompt in full, and its digest if that is known. */
  void know(@Nullable JsonValue full, @Nullable PromptDigest digest) {
    unresolved = null;
    json = full instanceof JsonObject object ? object : null;
    this.digest = digest;
  }

  /**
   * Sets the prompt as a change of an earlier one, with which it shares members and messages.
   *
   * @throws IllegalArgumentException if the prompt is larger than {@link PromptDelta#MAX_SIZE}
   */
  void derive(PastPrompt from, JsonObject prompt) {
    maxSize = from.maxSize() + writtenSize;
    if (maxSize > PromptDelta.MAX_SIZE) { // may have dropped as much
      maxSize = PromptDelta.size(prompt);
    }
    if (maxSize > PromptDelta.MAX_SIZE) {
      throw new IllegalArgumentException(
          "its size would be %d, the maximum is %d".formatted(maxSize, PromptDelta.MAX_SIZE));
    }
    json = prompt;
    base = from;
  }

  private long maxSize() {
    if (maxSize == 0) {
      maxSize = PromptDelta.size(known());
    }
    return maxSize;
  }

  /** The hash of the prompt. */
  ContentHash hash(CanonicalJson canonical) {
    return digest(canonical).hash();
  }

  private PromptDigest digest(CanonicalJson canonical) {
    PromptDigest done = digest;
    if (done == null || !done.isOf(canonical)) {
      PastPrompt from = base;
      done = from == null ? PromptDigest.of(known(), canonical) : from.digestOf(known(), canonical);
      digest = done;
      dropBase();
    }
    return done;
  }

  /** The digest of a prompt that shares members and messages with this one. */
  PromptDigest digestOf(JsonObject prompt, CanonicalJson canonical) {
    return PromptDigest.of(prompt, canonical, known(), digest(canonical));
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
}
