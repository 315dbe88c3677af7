package dev.agentreplay.publish.policy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.publish.secret.SecretMatch;
import dev.agentreplay.publish.secret.TextScan;
import dev.agentreplay.testkit.TestData;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lines with all members of all events, and what a published log shows of them. */
final class Lines {

  static final byte[] KEY = new byte[32];

  /** Finds the texts SECRET-1, SECRET-22 and so on. */
  static final TextScan SECRETS = new TextScan() {
    private final Pattern secret = Pattern.compile("SECRET-[0-9]+");

    @Override
    public List<SecretMatch> scan(String text) {
      List<SecretMatch> found = new ArrayList<>();
      Matcher matcher = secret.matcher(text);
      while (matcher.find()) {
        found.add(new SecretMatch("test", matcher.start(), matcher.end()));
      }
      return found;
    }

    @Override
    public List<SecretMatch> scanIdentifier(String text) {
      return scan(text);
    }
  };

  private Lines() {}

  static List<JsonObject> of(Dialect dialect) {
    return TestData.lines("/policy/lines." + dialect.id() + ".jsonl").stream()
        .map(Lines::json)
        .toList();
  }

  static JsonObject json(String text) {
    return JsonText.parse(text).asObject();
  }

  static LinePolicy policy(String json) {
    return policy(json, Dialect.EVENT);
  }

  static LinePolicy policy(String json, Dialect dialect) {
    try {
      return new LinePolicy(PublicationPolicy.parse(json), SECRETS, dialect, KEY);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A policy with these members next to id and schema. */
  static String document(String members) {
    return "{\"schema\":\"replay.policy/1\",\"id\":\"test\"" + (members.isEmpty() ? "" : ",")
        + members + "}";
  }

  /** The part of a line that a published log shows; hashes are the text {@code commitment}. */
  static JsonObject published(LinePolicy policy, JsonObject line) {
    JsonValue shown = shown(line, policy.treat(line));
    return shown == null ? JsonObject.EMPTY : shown.asObject();
  }

  static @Nullable JsonValue shown(JsonValue value, Treatment treatment) {
    if (treatment instanceof Treatment.Show) {
      return value;
    } else if (treatment instanceof Treatment.Replace replace) {
      return replace.shown();
    } else if (treatment instanceof Treatment.Hash) {
      return JsonString.of("sha256:" + "0".repeat(64));
    } else if (treatment instanceof Treatment.Members members) {
      JsonObject.Builder shown = JsonObject.builder();
      value.asObject().forEach((name, member) -> {
        JsonValue part = shown(member, members.members().getOrDefault(name, Treatment.HIDE));
        if (part != null) {
          shown.add(name, part);
        }
      });
      return shown.build();
    } else if (treatment instanceof Treatment.Elements elements) {
      List<JsonValue> shown = new ArrayList<>();
      for (int i = 0; i < elements.elements().size(); i++) {
        JsonValue part = shown(value.asArray().get(i), elements.elements().get(i));
        shown.add(part == null ? JsonNull.NULL : part);
      }
      return JsonArray.copyOf(shown);
    }
    return null;
  }

  /** The treatment of each part of a value, a line for each. */
  static String text(String pointer, JsonValue value, @Nullable Treatment treatment) {
    if (treatment instanceof Treatment.Members members) {
      StringBuilder text = new StringBuilder();
      value
          .asObject()
          .forEach((name, member) ->
              text.append(text(pointer + "/" + name, member, members.members().get(name))));
      return value.asObject().isEmpty() ? pointer + ": {}\n" : text.toString();
    } else if (treatment instanceof Treatment.Elements elements) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < elements.elements().size(); i++) {
        text.append(
            text(pointer + "/" + i, value.asArray().get(i), elements.elements().get(i)));
      }
      return text.toString();
    }
    return pointer + ": " + word(treatment) + "\n";
  }

  private static String word(@Nullable Treatment treatment) {
    if (treatment == null) {
      return "hide";
    } else if (treatment instanceof Treatment.Replace replace) {
      return "%s (%s)".formatted(replace.shown(), replace.rule());
    } else if (treatment instanceof Treatment.Hash hash) {
      return "hash of " + (hash.member().isEmpty() ? "nothing in the line" : hash.member());
    }
    return treatment.equals(Treatment.SHOW) ? "show" : "withhold";
  }
}
