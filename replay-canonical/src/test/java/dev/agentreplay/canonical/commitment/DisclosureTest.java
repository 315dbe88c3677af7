package dev.agentreplay.canonical.commitment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.tree.AuditPath;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Disclosures of single values, and those that do not hold. */
class DisclosureTest {

  private static final Salt SALT = Salt.of(new byte[Salt.BYTES]);
  private static final int LINES = 5;
  private static final int LINE = 3;
  private static final Committer COMMITTER = new Committer(PublicForm.DEFAULT);
  private static final PublicTree TREE = new PublicTree(PublicForm.DEFAULT, SALT);
  private static final AuditPath PATH = new AuditPath(LINE - 1, LINES);

  static {
    for (int i = 1; i <= LINES; i++) {
      TREE.add(raw(i), line(i), CanonicalJson.SERDE);
      PATH.add(COMMITTER.commit(line(i), COMMITTER.line(SALT, i, raw(i))).toBytes());
    }
  }

  private static JsonObject line(int n) {
    return JsonObject.of("n", n, "params", JsonObject.of("path", "f" + n, "pin", "1234"));
  }

  private static byte[] raw(int n) {
    return CanonicalJson.SERDE.bytes(line(n));
  }

  /** The disclosure of {@code /params/path}. */
  private static Disclosure disclosure() {
    return disclosure("path", null);
  }

  /** The disclosure of a parameter; the other one is hidden, or replaced by a rule. */
  private static Disclosure disclosure(String shown, String rule) {
    Seed seed = COMMITTER.line(SALT, LINE, raw(LINE));
    JsonObject line = line(LINE);
    Opening.Members outer = (Opening.Members) COMMITTER.expand(line, new Opening.Complete(seed));
    Seed inner = COMMITTER.member(seed, "params");
    JsonObject params = line.get("params").asObject();
    Opening.Members all = (Opening.Members) COMMITTER.expand(params, new Opening.Complete(inner));
    Map<String, Opening> members = new TreeMap<>();
    List<Commitment> others = new ArrayList<>();
    JsonObject.Builder values = JsonObject.builder();
    params.forEach((name, value) -> {
      Commitment commitment = COMMITTER.commit(value, COMMITTER.member(inner, name));
      if (name.equals(shown)) {
        members.put(name, all.members().get(name));
        values.add(name, value);
      } else if (rule != null) {
        members.put(name, new Opening.Withheld(commitment, rule));
        values.add(name, JsonValue.of("other"));
      } else {
        others.add(COMMITTER.memberDigest(name, commitment));
      }
    });
    Opening opened = new Opening.Members(
        outer.blinding(),
        Map.of("params", new Opening.Members(all.blinding(), members, others)),
        List.of(COMMITTER.memberDigest(
            "n", COMMITTER.commit(line.get("n"), COMMITTER.member(seed, "n")))));
    return new Disclosure(
        LINE,
        JsonPointer.parse("/params/" + shown),
        JsonObject.of("params", values.build()),
        opened,
        PublicForm.DEFAULT,
        TREE.head(),
        PATH.toList());
  }

  @Test
  void value_is_proved_by_the_root_alone_and_other_values_are_not_in_it() throws Exception {
    Disclosure disclosure = disclosure();

    assertThat(disclosure.holds()).isTrue();
    assertThat(disclosure.value()).isEqualTo(JsonValue.of("f3"));
    String json = disclosure.toJson().toString();
    assertThat(json).doesNotContain("1234").doesNotContain("\"pin\"").doesNotContain("\"n\"");
    assertThat(Disclosure.fromJson(JsonText.parse(json).asObject())).isEqualTo(disclosure);
  }

  @Test
  void disclosure_of_another_line_place_root_size_or_form_does_not_hold() {
    Disclosure d = disclosure();
    for (long line = -1; line <= LINES + 1; line++) {
      assertThat(with(d, line, d.pointer(), d.tree(), d.path()).holds()).isEqualTo(line == LINE);
    }
    for (String pointer : List.of("", "/params", "/params/pin", "/n", "/params/path/0")) {
      assertThat(with(d, LINE, JsonPointer.parse(pointer), d.tree(), d.path()).fault())
          .startsWith("it does not show the value at ");
    }
    for (long size = 0; size <= 12; size++) {
      TreeHead head = new TreeHead(size, d.tree().root());
      // the path has the same shape in these trees: the size is authenticated with the root
      boolean isAmbiguous = size >= LINES && size <= 8;
      assertThat(with(d, LINE, d.pointer(), head, d.path()).holds()).isEqualTo(isAmbiguous);
    }
    TreeHead other = new TreeHead(LINES, ContentHash.sha256(new byte[0]));
    assertThat(with(d, LINE, d.pointer(), other, d.path()).fault())
        .isEqualTo("line, value, seeds and path do not lead to the public root");
    Disclosure padded = new Disclosure(
        LINE, d.pointer(), d.shown(), d.opening(), new PublicForm(8), d.tree(), d.path());
    assertThat(padded.fault()).contains("has a multiple of 8 commitments");
  }

  @Test
  void path_that_was_altered_does_not_hold() {
    Disclosure d = disclosure();
    List<List<ContentHash>> altered = new ArrayList<>();
    for (int i = 0; i < d.path().size(); i++) {
      List<ContentHash> without = new ArrayList<>(d.path());
      without.remove(i);
      altered.add(without);
      List<ContentHash> changed = new ArrayList<>(d.path());
      changed.set(i, ContentHash.sha256(new byte[] {1}));
      altered.add(changed);
      List<ContentHash> twice = new ArrayList<>(d.path());
      twice.add(i, d.path().get(i));
      altered.add(twice);
      List<ContentHash> swapped = new ArrayList<>(d.path());
      Collections.swap(swapped, i, (i + 1) % swapped.size());
      altered.add(swapped);
    }
    for (List<ContentHash> path : altered) {
      assertThat(with(d, LINE, d.pointer(), d.tree(), path).holds()).isFalse();
    }
  }

  @Test
  void value_that_was_altered_does_not_hold() {
    Disclosure d = disclosure();
    JsonObject forged = JsonObject.of("params", JsonObject.of("path", "f4"));
    assertThat(shown(d, forged).fault())
        .isEqualTo("line, value, seeds and path do not lead to the public root");
    JsonObject more = JsonObject.of("params", JsonObject.of("path", "f3", "pin", "1"));
    assertThat(shown(d, more).fault())
        .isEqualTo("/params/pin: the value is shown without an opening");
    assertThat(shown(d, JsonObject.EMPTY).fault())
        .isEqualTo("it does not show the value at /params/path unchanged");
  }

  @Test
  void replacement_next_to_the_value_or_in_its_place_is_refused() {
    assertThat(disclosure("path", "policy").fault())
        .isEqualTo("it shows a replacement, which no commitment covers, next to the value");
    Disclosure replaced = disclosure("pin", "policy");
    assertThat(with(replaced, LINE, JsonPointer.parse("/params/path"), TREE.head(), PATH.toList())
            .fault())
        .isEqualTo("it does not show the value at /params/path unchanged");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "schema | \"replay.disclosure/2\" | /schema: must be \"replay.disclosure/1\"",
        "form | \"replay.public/2\" | /form: must be replay.public/1",
        "form | 1 | /form: must be a string",
        "canonicalization | \"serde\" | /canonicalization: unknown member",
        "line | 0 | /line: must be an integer of 64 bits from 1, found 0",
        "line | \"1\" | /line: must be an integer",
        "pointer | \"params\" | /pointer: must be a JSON Pointer, found params",
        "opening | {} | /opening/blinding: must be 43 characters of base64url",
        "path | [\"x\"] | /path/0: must be",
        "path | {} | /path: must be an array",
        "public_root | \"x\" | /public_root: must be",
        "shown | [] | /shown: must be an object",
        "tree_size | -1 | /tree_size: must be an integer of 64 bits from 0",
        "more | 1 | /more: unknown member"
      })
  void malformed_disclosure_is_refused(String member, String value, String message) {
    JsonObject json = disclosure().toJson();
    assertThatThrownBy(() -> Disclosure.fromJson(json.with(member, JsonText.parse(value))))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessageStartingWith(message);
    assertThatThrownBy(() -> Disclosure.fromJson(json.without(member).with("x", 1)))
        .isInstanceOf(DocumentFormatException.class);
  }

  @Test
  void every_flipped_character_is_noticed() {
    Disclosure original = disclosure();
    String json = original.toJson().toString();
    for (int i = 0; i < json.length(); i++) {
      String altered = json.substring(0, i) + (char) (json.charAt(i) ^ 1) + json.substring(i + 1);
      boolean holds;
      try {
        Disclosure read = Disclosure.fromJson(JsonText.parse(altered).asObject());
        holds = read.holds() && read.tree().equals(original.tree());
      } catch (DocumentFormatException | IllegalArgumentException refused) {
        holds = false;
      }
      assertThat(holds).as(altered).isFalse();
    }
  }

  private static Disclosure with(
      Disclosure d, long line, JsonPointer pointer, TreeHead tree, List<ContentHash> path) {
    return new Disclosure(line, pointer, d.shown(), d.opening(), d.form(), tree, path);
  }

  private static Disclosure shown(Disclosure d, JsonObject shown) {
    return new Disclosure(d.line(), d.pointer(), shown, d.opening(), d.form(), d.tree(), d.path());
  }
}
