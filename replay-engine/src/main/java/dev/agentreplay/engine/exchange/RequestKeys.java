package dev.agentreplay.engine.exchange;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.EventComparison;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;

/** Computes the keys by which requests are matched. */
final class RequestKeys {

  private RequestKeys() {}

  /**
   * The request of a call: without id, step, attempt and additional members, which another run has
   * different, or another runtime does not state.
   */
  static ReplayEvent request(ReplayEvent call) {
    if (call instanceof ToolCall tool) {
      return new ToolCall("", tool.tool(), tool.params(), null, Attempt.NONE, Meta.NONE);
    }
    ModelCall model = (ModelCall) call;
    return new ModelCall("", model.model(), model.prompt(), model.parameters(), Meta.NONE);
  }

  static String name(ReplayEvent call) {
    String name = call.name();
    return name == null ? "" : name;
  }

  /** The key of a request by its canonical form. */
  static RequestKey exact(ReplayEvent request, CanonicalJson canonical) {
    ContentHash content = hash(request.content(), canonical);
    ContentHash hash = request instanceof ModelCall model
        ? both(content, CanonicalJson.comparableHash(model.parameters().json(), canonical))
        : content;
    return new RequestKey(ExchangeKind.ofCall(request), name(request), hash);
  }

  /** The key of a request after normalization by the rules of a comparison. */
  static RequestKey normal(ReplayEvent request, EventComparison comparison) {
    return new RequestKey(
        ExchangeKind.ofCall(request), name(request), comparison.fingerprint(request));
  }

  private static ContentHash hash(Content content, CanonicalJson canonical) {
    if (content.hash() != null) {
      return content.hash();
    } else if (content.blob() != null) {
      return content.blob().blob();
    }
    JsonValue value = content.value() == null ? JsonNull.NULL : content.value();
    return CanonicalJson.comparableHash(value, canonical);
  }

  private static ContentHash both(ContentHash one, ContentHash other) {
    return ContentHash.sha256((one + "\n" + other).getBytes(StandardCharsets.UTF_8));
  }
}
