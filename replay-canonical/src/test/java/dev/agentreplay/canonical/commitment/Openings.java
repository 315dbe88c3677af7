package dev.agentreplay.canonical.commitment;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Random values, and random partial openings of them. */
final class Openings {

  /** A value as a policy shows it, and its opening. */
  record Shown(JsonValue value, Opening opening) {}

  private final Committer committer;
  private final Random random;

  Openings(PublicForm form, Random random) {
    this.committer = new Committer(form);
    this.random = random;
  }

  Committer committer() {
    return committer;
  }

  JsonObject object(int depth) {
    JsonObject.Builder builder = JsonObject.builder();
    List<String> names =
        List.of("", "a", "b", "é", "\u0000", "e0", "m", "disclosure", "\uD83D\uDE00");
    for (String name : names) {
      if (random.nextInt(3) == 0) {
        builder.add(name, value(depth - 1));
      }
    }
    return builder.build();
  }

  private JsonValue value(int depth) {
    switch (depth <= 0 ? random.nextInt(5) : random.nextInt(8)) {
      case 0:
        return JsonNull.NULL;
      case 1:
        return JsonValue.of(random.nextBoolean());
      case 2:
        return JsonValue.of(random.nextInt(4));
      case 3:
        return JsonText.parse("1e" + random.nextInt(9));
      case 4:
        return JsonValue.of(random.nextBoolean() ? "" : "text " + random.nextInt(3));
      case 5, 6:
        return object(depth);
      default:
        List<JsonValue> elements = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          elements.add(value(depth - 1));
        }
        return JsonArray.copyOf(elements);
    }
  }

  /** Opens a value in part; at the top it is shown. */
  Shown open(JsonValue value, Seed seed) {
    Opening opened = committer.expand(value, new Opening.Complete(seed));
    if (random.nextInt(3) == 0 || opened instanceof Opening.Complete) {
      return new Shown(value, new Opening.Complete(seed));
    }
    return opened instanceof Opening.Members members
        ? members(value.asObject(), members, seed)
        : elements(value.asArray(), (Opening.Elements) opened, seed);
  }

  private Shown members(JsonObject object, Opening.Members opened, Seed seed) {
    JsonObject.Builder shown = JsonObject.builder();
    Map<String, Opening> members = new TreeMap<>();
    List<Commitment> others = new ArrayList<>(opened.others());
    object.forEach((name, value) -> {
      Seed own = committer.member(seed, name);
      Commitment commitment = committer.commit(value, own);
      switch (random.nextInt(4)) {
        case 0 -> others.add(committer.memberDigest(name, commitment));
        case 1 -> members.put(name, new Opening.Withheld(commitment, null));
        case 2 -> {
          members.put(name, new Opening.Withheld(commitment, "secret:x"));
          shown.add(name, JsonValue.of("gone"));
        }
        default -> {
          Shown part = open(value, own);
          members.put(name, part.opening);
          shown.add(name, part.value);
        }
      }
    });
    others.sort(null);
    return new Shown(shown.build(), new Opening.Members(opened.blinding(), members, others));
  }

  private Shown elements(JsonArray array, Opening.Elements opened, Seed seed) {
    List<JsonValue> shown = new ArrayList<>();
    List<Opening> elements = new ArrayList<>(opened.elements());
    int end = 0;
    for (int i = 0; i < array.size(); i++) {
      Seed own = committer.element(seed, i);
      Commitment commitment = committer.commit(array.get(i), own);
      switch (random.nextInt(3)) {
        case 0 -> {
          elements.set(i, new Opening.Withheld(commitment, null));
          shown.add(JsonNull.NULL);
        }
        case 1 -> {
          elements.set(i, new Opening.Withheld(commitment, "size"));
          shown.add(JsonValue.of(7));
          end = i + 1;
        }
        default -> {
          Shown part = open(array.get(i), own);
          elements.set(i, part.opening);
          shown.add(part.value);
          end = i + 1;
        }
      }
    }
    return new Shown(
        JsonArray.copyOf(shown.subList(0, end)), new Opening.Elements(opened.blinding(), elements));
  }
}
