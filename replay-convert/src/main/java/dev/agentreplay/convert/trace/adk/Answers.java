package dev.agentreplay.convert.trace.adk;

import dev.agentreplay.convert.trace.reading.MessageText;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answers of a model, which recordings and events of sessions state in the same way. */
final class Answers {

  private static final String USAGE = "usage_metadata";

  private Answers() {}

  /** Makes the result of a model call. */
  static ModelResult result(SourceRecord response, String id, Meta meta) {
    JsonValue content = response.move("ModelResult/answer", "content");
    String[] usage = AdkNames.path(response, USAGE);
    String[] in = AdkNames.path(response, USAGE, "prompt_token_count");
    String[] out = AdkNames.path(response, USAGE, "candidates_token_count");
    response.derive("ModelResult/" + Names.TOKENS_IN, in);
    response.derive("ModelResult/" + Names.TOKENS_OUT, out);
    JsonValue details = response.move("ModelResult/" + Names.TOKEN_DETAILS, usage);
    return new ModelResult(
        id,
        Content.of(content == null ? JsonObject.EMPTY : content),
        completion(response),
        new TokenCounts(response.count(in), response.count(out)),
        Timing.NONE,
        details == null ? meta : meta.withExtra(JsonObject.of(Names.TOKEN_DETAILS, details)));
  }

  private static Completion completion(SourceRecord response) {
    String[] code = AdkNames.path(response, "error_code");
    if (response.text(code) != null) {
      String[] message = AdkNames.path(response, "error_message");
      response.derive("ModelResult/error", code);
      response.derive("ModelResult/error", message);
      String stated = response.text(message);
      return Completion.failed(
          Failure.of(String.valueOf(response.text(code)), stated == null ? "" : stated));
    }
    String[] reason = AdkNames.path(response, "finish_reason");
    String text = response.text(reason);
    if (text == null) {
      return Completion.NONE;
    }
    response.move("ModelResult/finish_reason", reason);
    return Completion.of(text);
  }

  /** The parts of a content; empty if it has none. */
  static List<JsonObject> parts(@Nullable JsonValue content) {
    return content instanceof JsonObject object && object.get("parts") instanceof JsonArray parts
        ? parts.stream()
            .filter(JsonObject.class::isInstance)
            .map(JsonValue::asObject)
            .toList()
        : List.of();
  }

  /** The first text of a content; null if it has none. */
  static @Nullable String text(@Nullable JsonValue content) {
    return content instanceof JsonObject object ? MessageText.of(object.get("parts")) : null;
  }
}
