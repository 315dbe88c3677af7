package dev.agentreplay.canonical.commitment;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The JSON form of openings. */
final class OpeningJson {

  private static final String COMMITMENT = "commitment";
  private static final String RULE = "rule";
  private static final String BLINDING = "blinding";
  private static final String MEMBERS = "members";
  private static final String OTHERS = "others";
  private static final String ELEMENTS = "elements";
  private static final String FORM = "43 characters of base64url";
  private static final Pattern RULE_ID = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

  private OpeningJson() {}

  static boolean isRule(String text) {
    return RULE_ID.matcher(text).matches();
  }

  static JsonValue encode(Opening opening) {
    if (opening instanceof Opening.Complete complete) {
      return JsonString.of(complete.seed().text());
    } else if (opening instanceof Opening.Withheld withheld) {
      JsonObject json = JsonObject.of(COMMITMENT, withheld.commitment().text());
      return withheld.rule() == null ? json : json.with(RULE, withheld.rule());
    } else if (opening instanceof Opening.Elements elements) {
      List<JsonValue> values = new ArrayList<>(elements.elements().size());
      elements.elements().forEach(element -> values.add(encode(element)));
      return JsonObject.of(
          BLINDING, elements.blinding().text(), ELEMENTS, JsonArray.copyOf(values));
    }
    Opening.Members members = (Opening.Members) opening;
    JsonObject.Builder named = JsonObject.builder();
    members.members().forEach((name, member) -> named.add(name, encode(member)));
    List<JsonValue> others = new ArrayList<>(members.others().size());
    members.others().forEach(other -> others.add(JsonString.of(other.text())));
    return JsonObject.of(
        BLINDING,
        members.blinding().text(),
        MEMBERS,
        named.build(),
        OTHERS,
        JsonArray.copyOf(others));
  }

  static Opening decode(JsonValue json, String pointer) throws DocumentFormatException {
    if (json instanceof JsonString text) {
      return new Opening.Complete(seed(text, pointer));
    }
    if (!(json instanceof JsonObject object)) {
      throw mustBe(pointer, "a seed or an object", json);
    }
    StrictObject members = new StrictObject(object, pointer);
    if (object.has(COMMITMENT)) {
      return withheld(members.only(COMMITMENT, RULE));
    }
    Seed blinding = seed(object.get(BLINDING), pointer + "/" + BLINDING);
    return object.has(ELEMENTS)
        ? elements(members.only(BLINDING, ELEMENTS), blinding)
        : members(members.only(BLINDING, MEMBERS, OTHERS), blinding);
  }

  private static Opening withheld(StrictObject json) throws DocumentFormatException {
    String rule = json.json().has(RULE) ? json.string(RULE) : null;
    if (rule != null && !isRule(rule)) {
      throw json.mustBe("the id of a rule", RULE, json.json().get(RULE));
    }
    return new Opening.Withheld(
        commitment(json.json().get(COMMITMENT), json.pointer() + "/" + COMMITMENT), rule);
  }

  private static Opening members(StrictObject json, Seed blinding) throws DocumentFormatException {
    StrictObject named = json.object(MEMBERS);
    Map<String, Opening> members = new TreeMap<>();
    for (int i = 0; i < named.json().size(); i++) {
      String name = named.json().name(i);
      members.put(
          name, decode(named.json().value(i), named.pointer() + "/" + JsonPointer.escape(name)));
    }
    JsonArray array = array(json, OTHERS);
    List<Commitment> others = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      others.add(commitment(array.get(i), "%s/%s/%d".formatted(json.pointer(), OTHERS, i)));
    }
    return new Opening.Members(blinding, members, others);
  }

  private static Opening elements(StrictObject json, Seed blinding) throws DocumentFormatException {
    JsonArray array = array(json, ELEMENTS);
    List<Opening> elements = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      elements.add(decode(array.get(i), "%s/%s/%d".formatted(json.pointer(), ELEMENTS, i)));
    }
    return new Opening.Elements(blinding, elements);
  }

  private static JsonArray array(StrictObject json, String name) throws DocumentFormatException {
    if (json.json().get(name) instanceof JsonArray array) {
      return array;
    }
    throw json.mustBe("an array", name, json.json().get(name));
  }

  private static Seed seed(@Nullable JsonValue json, String pointer)
      throws DocumentFormatException {
    Seed seed = json instanceof JsonString text ? Seed.tryParse(text.value()) : null;
    if (seed == null) {
      throw mustBe(pointer, FORM, json);
    }
    return seed;
  }

  private static Commitment commitment(@Nullable JsonValue json, String pointer)
      throws DocumentFormatException {
    Commitment found = json instanceof JsonString text ? Commitment.tryParse(text.value()) : null;
    if (found == null) {
      throw mustBe(pointer, FORM, json);
    }
    return found;
  }

  private static DocumentFormatException mustBe(
      String pointer, String what, @Nullable JsonValue found) {
    return new DocumentFormatException("%s: must be %s, found %s"
        .formatted(pointer, what, found == null ? "nothing" : Excerpt.of(found.toString())));
  }
}
