package dev.agentreplay.publish;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.publish.policy.Treatment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes the values of a line that are withheld, and keeps the hashes of the log, as specification
 * 001 requires of a published log. Nothing of it can be verified but those hashes.
 */
final class PlainRedaction {

  private PlainRedaction() {}

  /**
   * The shown part of a line. A value with a hash is shown completely or not at all, because the
   * hash is that of the whole value.
   */
  static JsonObject redact(JsonObject line, Treatment treatment) {
    if (!(treatment instanceof Treatment.Members members)) {
      return treatment instanceof Treatment.Show ? line : JsonObject.EMPTY;
    }
    Map<String, Treatment> chosen = new LinkedHashMap<>(members.members());
    members.members().values().forEach(member -> {
      if (member instanceof Treatment.Hash hash) {
        chosen.computeIfPresent(
            hash.member(), (name, of) -> of instanceof Treatment.Show ? of : Treatment.WITHHOLD);
      }
    });
    return redact((JsonValue) line, new Treatment.Members(chosen)) instanceof JsonObject shown
        ? shown
        : JsonObject.EMPTY;
  }

  private static @Nullable JsonValue redact(JsonValue value, Treatment treatment) {
    if (treatment instanceof Treatment.Show || treatment instanceof Treatment.Hash) {
      return value;
    } else if (treatment instanceof Treatment.Replace replace) {
      return replace.shown();
    } else if (treatment instanceof Treatment.Members members && value instanceof JsonObject json) {
      JsonObject.Builder shown = JsonObject.builder();
      json.forEach((name, member) -> {
        JsonValue part = redact(member, members.members().getOrDefault(name, Treatment.HIDE));
        if (part != null) {
          shown.add(name, part);
        }
      });
      return shown.build();
    } else if (treatment instanceof Treatment.Elements elements
        && value instanceof JsonArray array) {
      List<JsonValue> shown = new ArrayList<>();
      for (int i = 0; i < array.size() && i < elements.elements().size(); i++) {
        JsonValue part = redact(array.get(i), elements.elements().get(i));
        shown.add(part == null ? JsonNull.NULL : part);
      }
      return JsonArray.copyOf(shown);
    }
    return null;
  }
}
