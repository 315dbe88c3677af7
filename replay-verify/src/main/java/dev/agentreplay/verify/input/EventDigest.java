package dev.agentreplay.verify.input;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Computes the digest of what a call, a result or a value says, without ids, times and its source:
 * events of a recording and of its fork have the same one. Whether a stated hash is that of the
 * value is checked elsewhere.
 */
final class EventDigest {

  private EventDigest() {}

  /**
   * The digest of an event.
   *
   * @param starter the line of the recorded call that started its agent; null if none did
   */
  static ContentHash of(
      ReplayEvent event, @Nullable Long starter, LogCanonicalization canonicalization) {
    JsonObject.Builder json = JsonObject.builder().put("kind", event.kind().id());
    put(json, "name", event.name());
    put(json, Names.AGENT, event.meta().agent());
    put(json, "starter", starter);
    put(json, "content", content(event.content(), canonicalization));
    json.put("is_known", isKnown(event));
    if (event instanceof ToolResult result) {
      put(json, "ok", result.outcome().ok());
      put(json, Names.EXIT_CODE, result.outcome().exitCode());
      put(json, result.outcome().error());
    } else if (event instanceof ModelResult result) {
      put(json, Names.FINISH_REASON, result.finish().reason());
      put(json, result.finish().error());
    } else if (event instanceof ModelCall call) {
      json.add("parameters", call.parameters().json());
    } else if (event instanceof RecordedValue value) {
      json.put("source", value.source())
          .put("ordinal", value.ordinal())
          .add("value", value.value());
    }
    return CanonicalJson.comparableHash(json.build(), CanonicalJson.SERDE);
  }

  private static void put(JsonObject.Builder json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  private static void put(JsonObject.Builder json, @Nullable Failure error) {
    if (error != null) {
      put(json, "error", error.name());
      put(json, "message", error.message());
    }
  }

  /** Whether the value of an event is in the log or in a blob, or follows from an earlier one. */
  private static boolean isKnown(ReplayEvent event) {
    Content content = event.content();
    return content.value() != null
        || content.blob() != null
        || (event instanceof ModelCall call && call.promptDelta() != null);
  }

  private static @Nullable String content(Content content, LogCanonicalization canonicalization) {
    if (content.hash() != null) {
      return content.hash().toString();
    } else if (content.value() == null) {
      return content.blob() == null ? null : content.blob().blob().toString();
    }
    CanonicalJson canonical = canonicalization.get();
    return CanonicalJson.comparableHash(
            content.value(), canonical == null ? CanonicalJson.SERDE : canonical)
        .toString();
  }
}
