package dev.agentreplay.canonical.commitment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Commitments of any value, opened in any way. */
class CommitmentPropertiesTest {

  private static final Salt SALT = Salt.of(new byte[Salt.BYTES]);

  @Provide
  Arbitrary<PublicForm> forms() {
    return Arbitraries.of(new PublicForm(1), new PublicForm(2), new PublicForm(8));
  }

  @Property
  void commitment_is_that_of_the_definition(
      @ForAll("forms") PublicForm form, @ForAll Random random, @ForAll @IntRange(min = 1) int n) {
    Openings openings = new Openings(form, random);
    JsonObject line = openings.object(4);
    Reference reference = new Reference(form.padding());

    Seed seed = openings.committer().line(SALT, n, raw(line));

    assertThat(seed.array()).isEqualTo(Reference.lineSeed(SALT.toBytes(), n, raw(line)));
    assertThat(openings.committer().commit(line, seed).toBytes())
        .isEqualTo(reference.commit(line, seed.array()));
  }

  @Property
  void every_partial_opening_leads_to_the_commitment(
      @ForAll("forms") PublicForm form, @ForAll Random random) throws DocumentFormatException {
    Openings openings = new Openings(form, random);
    JsonObject line = openings.object(4);
    Seed seed = openings.committer().line(SALT, 1, raw(line));
    Commitment commitment = openings.committer().commit(line, seed);

    Openings.Shown shown = openings.open(line, seed);

    assertThat(openings.committer().verify(shown.value(), shown.opening())).isEqualTo(commitment);
    JsonValue json = JsonText.parse(shown.opening().toJson().toString());
    assertThat(Opening.fromJson(json)).isEqualTo(shown.opening());
    assertThat(new Reference(form.padding()).open(shown.value(), json))
        .isEqualTo(commitment.toBytes());
  }

  @Property
  void order_of_members_is_not_significant(@ForAll Random random) {
    Openings openings = new Openings(PublicForm.DEFAULT, random);
    JsonObject line = openings.object(3);
    List<String> names = new ArrayList<>(line.names());
    Collections.shuffle(names, random);
    JsonObject.Builder shuffled = JsonObject.builder();
    names.forEach(name -> shuffled.add(name, line.get(name)));
    Seed seed = openings.committer().line(SALT, 1, raw(line));

    Commitment commitment = openings.committer().commit(line, seed);

    assertThat(openings.committer().commit(shuffled.build(), seed)).isEqualTo(commitment);
  }

  @Property
  void other_values_and_other_lines_have_other_commitments(
      @ForAll("forms") PublicForm form, @ForAll Random random) {
    Openings openings = new Openings(form, random);
    JsonObject one = openings.object(3);
    JsonObject two = openings.object(3);
    Committer committer = openings.committer();
    Seed seed = committer.line(SALT, 1, raw(one));

    assertThat(committer.commit(one, seed).equals(committer.commit(two, seed)))
        .isEqualTo(sorted(one).equals(sorted(two)));
    assertThat(committer.commit(one, seed))
        .isNotEqualTo(committer.commit(one, committer.line(SALT, 2, raw(one))));
    assertThat(committer.line(SALT, 1, raw(one)).equals(committer.line(SALT, 1, raw(two))))
        .isEqualTo(Arrays.equals(raw(one), raw(two)));
  }

  @Property
  void any_change_of_the_opening_is_refused_or_leads_elsewhere(
      @ForAll("forms") PublicForm form, @ForAll Random random) {
    Openings openings = new Openings(form, random);
    JsonObject line = openings.object(4);
    Seed seed = openings.committer().line(SALT, 1, raw(line));
    Commitment commitment = openings.committer().commit(line, seed);
    Openings.Shown shown = openings.open(line, seed);
    JsonValue opening = shown.opening().toJson();

    for (JsonValue altered : Alterations.of(opening)) {
      assertThat(leadsTo(openings.committer(), shown.value(), altered, commitment))
          .as("%s\n%s", opening, altered)
          .isFalse();
    }
  }

  @Property
  void any_change_of_what_is_shown_unchanged_is_refused_or_leads_elsewhere(
      @ForAll("forms") PublicForm form, @ForAll Random random) {
    Openings openings = new Openings(form, random);
    JsonObject line = openings.object(4);
    Seed seed = openings.committer().line(SALT, 1, raw(line));
    Commitment commitment = openings.committer().commit(line, seed);
    Openings.Shown shown = openings.open(line, seed);
    JsonValue opening = shown.opening().toJson();

    for (JsonValue altered : Alterations.ofShown(shown.value(), shown.opening())) {
      assertThat(leadsTo(openings.committer(), altered, opening, commitment))
          .as("%s\n%s", shown.value(), altered)
          .isFalse();
    }
  }

  /** The text of a value with sorted members and the literals of its numbers. */
  private static String sorted(JsonValue value) {
    StringBuilder text = new StringBuilder();
    if (value instanceof JsonObject object) {
      object.names().stream().sorted().forEach(name -> text.append(JsonString.of(name))
          .append(':')
          .append(sorted(object.get(name))));
      return "{" + text + "}";
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        text.append(sorted(array.get(i))).append(',');
      }
      return "[" + text + "]";
    }
    return value.toString();
  }

  private static byte[] raw(JsonObject line) {
    return CanonicalJson.SERDE.bytes(line);
  }

  private static boolean leadsTo(
      Committer committer, JsonValue shown, JsonValue opening, Commitment expected) {
    try {
      return committer.verify(shown, Opening.fromJson(opening)).equals(expected);
    } catch (DocumentFormatException refused) {
      return false;
    }
  }

  /** All single changes of the JSON form of an opening, except of the ids of rules. */
  private static final class Alterations {
    private final List<JsonValue> all = new ArrayList<>();

    static List<JsonValue> of(JsonValue opening) {
      List<JsonValue> altered = new ArrayList<>();
      if (opening instanceof JsonString text) {
        altered.add(flipped(text.value()));
        altered.add(JsonObject.of("commitment", text.value()));
        return altered;
      }
      JsonObject json = opening.asObject();
      if (json.has("commitment")) {
        altered.add(json.with("commitment", flipped(json.at("/commitment").asString())));
        altered.add(json.get("commitment"));
        if (json.has("rule")) {
          altered.add(json.without("rule"));
        }
        return altered;
      }
      altered.add(json.with("blinding", flipped(json.at("/blinding").asString())));
      if (json.has("elements")) {
        List<JsonValue> elements = list(json.get("elements"));
        lists(elements, Alterations::of).forEach(list -> altered.add(json.with("elements", list)));
        return altered;
      }
      Map<String, JsonValue> members = new TreeMap<>();
      json.get("members").asObject().forEach(members::put);
      members.forEach((name, member) -> {
        altered.add(json.with("members", json.get("members").asObject().without(name)));
        altered.add(json.with(
            "members", json.get("members").asObject().without(name).with(name + "x", member)));
        of(member)
            .forEach(changed -> altered.add(
                json.with("members", json.get("members").asObject().with(name, changed))));
      });
      List<JsonValue> others = list(json.get("others"));
      lists(others, other -> List.of(flipped(((JsonString) other).value())))
          .forEach(list -> altered.add(json.with("others", list)));
      return altered;
    }

    /** Lists with one element altered, removed, repeated or swapped with its neighbor. */
    private static List<JsonArray> lists(
        List<JsonValue> list, java.util.function.Function<JsonValue, List<JsonValue>> changes) {
      List<JsonArray> altered = new ArrayList<>();
      for (int i = 0; i < list.size(); i++) {
        for (JsonValue changed : changes.apply(list.get(i))) {
          List<JsonValue> copy = new ArrayList<>(list);
          copy.set(i, changed);
          altered.add(JsonArray.copyOf(copy));
        }
        List<JsonValue> removed = new ArrayList<>(list);
        removed.remove(i);
        altered.add(JsonArray.copyOf(removed));
        List<JsonValue> repeated = new ArrayList<>(list);
        repeated.add(i, list.get(i));
        altered.add(JsonArray.copyOf(repeated));
        if (i > 0 && !list.get(i).equals(list.get(i - 1))) {
          List<JsonValue> swapped = new ArrayList<>(list);
          Collections.swap(swapped, i, i - 1);
          altered.add(JsonArray.copyOf(swapped));
        }
      }
      return altered;
    }

    private static List<JsonValue> list(JsonValue array) {
      List<JsonValue> list = new ArrayList<>();
      for (int i = 0; i < array.asArray().size(); i++) {
        list.add(array.asArray().get(i));
      }
      return list;
    }

    private static JsonValue flipped(String text) {
      char first = text.charAt(0) == 'A' ? 'B' : 'A';
      return JsonString.of(first + text.substring(1));
    }

    /** All single changes of the parts of a value that are shown unchanged, and additions. */
    static List<JsonValue> ofShown(JsonValue shown, Opening opening) {
      Alterations alterations = new Alterations();
      alterations.add(shown, opening);
      return alterations.all;
    }

    private void add(JsonValue shown, Opening opening) {
      if (opening instanceof Opening.Complete) {
        addComplete(shown);
      } else if (opening instanceof Opening.Members members) {
        JsonObject object = shown.asObject();
        all.add(object.with("added", 1));
        object.forEach((name, value) -> {
          all.add(object.without(name));
          ofShown(value, members.members().get(name))
              .forEach(changed -> all.add(object.with(name, changed)));
        });
      } else if (opening instanceof Opening.Elements elements) {
        JsonArray array = shown.asArray();
        List<JsonValue> list = list(array);
        for (int i = 0; i < list.size(); i++) {
          int at = i;
          ofShown(list.get(i), elements.elements().get(i)).forEach(changed -> {
            List<JsonValue> copy = new ArrayList<>(list);
            copy.set(at, changed);
            all.add(JsonArray.copyOf(copy));
          });
        }
        if (!list.isEmpty()) {
          all.add(JsonArray.copyOf(list.subList(0, list.size() - 1)));
        }
        list.add(JsonValue.of(1));
        if (list.size() > elements.elements().size()
            || !elements.elements().get(list.size() - 1).isShown()) {
          all.add(JsonArray.copyOf(list));
        }
      }
    }

    private void addComplete(JsonValue value) {
      all.add(JsonArray.of(value));
      all.add(JsonObject.of("", value));
      if (value instanceof JsonObject object) {
        all.add(object.with("added", 1));
        object.forEach((name, member) -> {
          all.add(object.without(name));
          all.add(object.with(name, JsonArray.of(member)));
          all.add(object.without(name).with(name + "x", member));
        });
      } else if (value instanceof JsonArray array) {
        lists(list(array), element -> List.of(JsonArray.of(element))).forEach(all::add);
      } else {
        all.add(JsonValue.of(value + "x"));
      }
    }
  }
}
