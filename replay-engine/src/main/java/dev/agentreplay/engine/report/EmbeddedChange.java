package dev.agentreplay.engine.report;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Embeds what stands at a place in two events: of long texts the part where they differ. */
final class EmbeddedChange {

  /** Texts up to so many characters are embedded whole, and no more of the part that differs. */
  private static final int WHOLE = 8_000;

  /** How much is embedded before the first and after the last difference, in characters. */
  private static final int CONTEXT = 400;

  private final Embedding embedding;

  EmbeddedChange(Embedding embedding) {
    this.embedding = embedding;
  }

  /** Both sides, each null where there is nothing. */
  List<@Nullable JsonObject> of(@Nullable JsonValue before, @Nullable JsonValue after) {
    if (before instanceof JsonString left
        && after instanceof JsonString right
        && Math.max(left.value().length(), right.value().length()) > WHOLE) {
      return parts(left.value(), right.value());
    }
    return Arrays.asList(
        before == null ? null : embedding.embed(before),
        after == null ? null : embedding.embed(after));
  }

  private List<@Nullable JsonObject> parts(String before, String after) {
    int prefix = Characters.commonPrefix(before, after);
    int suffix = Characters.commonSuffix(before, after, prefix);
    int from = Math.max(0, prefix - CONTEXT);
    int left = Math.max(0, suffix - CONTEXT);
    return List.of(
        part(before, from, before.length() - left), part(after, from, after.length() - left));
  }

  private JsonObject part(String text, int begin, int end) {
    int from = Characters.floor(text, begin);
    int to = Characters.floor(text, Math.min(end, from + WHOLE));
    return embedding
        .embed(JsonString.of(text.substring(from, to)))
        .with("from", from)
        .with("length", text.length());
  }
}
