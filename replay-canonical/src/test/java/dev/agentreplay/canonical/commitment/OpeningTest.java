package dev.agentreplay.canonical.commitment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of openings that are refused, and why. */
class OpeningTest {

  private static final String TEXT = "A".repeat(43);
  private static final String LARGER = "B".repeat(42) + "A";
  private static final Committer COMMITTER = new Committer(PublicForm.DEFAULT);
  private static final Seed SEED = COMMITTER.line(Salt.of(new byte[Salt.BYTES]), 1, new byte[0]);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | : must be a seed or an object, found 1",
        "null | : must be a seed or an object, found null",
        "[] | : must be a seed or an object, found []",
        "\"\" | : must be 43 characters of base64url, found \"\"",
        "\"$T=\" | : must be 43 characters of base64url",
        "\"+++++++++++++++++++++++++++++++++++++++++++\" | must be 43 characters of base64url",
        "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB\" | must be 43 characters of base64url",
        "{} | /blinding: must be 43 characters of base64url, found nothing",
        "{\"commitment\":1} | /commitment: must be 43 characters of base64url, found 1",
        "{\"commitment\":\"$T\",\"rule\":1} | /rule: must be a string, found 1",
        "{\"commitment\":\"$T\",\"rule\":\"\"} | /rule: must be the id of a rule",
        "{\"commitment\":\"$T\",\"rule\":\"a b\"} | /rule: must be the id of a rule",
        "{\"commitment\":\"$T\",\"more\":1} | /more: unknown member",
        "{\"blinding\":\"$T\"} | /members: must be an object, found nothing",
        "{\"blinding\":\"$T\",\"members\":{}} | /others: must be an array, found nothing",
        "{\"blinding\":\"$T\",\"members\":[],\"others\":[]} | /members: must be an object",
        "{\"blinding\":\"$T\",\"members\":{},\"others\":[1]} | /others/0: must be 43 characters",
        "{\"blinding\":\"$T\",\"members\":{},\"others\":[],\"x\":1} | /x: unknown member",
        "{\"blinding\":\"$T\",\"members\":{\"a/b\":1},\"others\":[]} | /members/a~1b: must be a seed",
        "{\"blinding\":\"$T\",\"elements\":{}} | /elements: must be an array",
        "{\"blinding\":\"$T\",\"elements\":[0]} | /elements/0: must be a seed or an object",
        "{\"blinding\":\"$T\",\"elements\":[],\"others\":[]} | /others: unknown member",
        "{\"blinding\":1,\"elements\":[]} | /blinding: must be 43 characters of base64url, found 1"
      })
  void malformed_opening_is_refused(String json, String message) {
    assertThatThrownBy(() -> Opening.fromJson(JsonText.parse(json.replace("$T", TEXT))))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | {\"commitment\":\"$T\"} | : the value is withheld, found 1",
        "1 | {\"blinding\":\"$T\",\"members\":{},\"others\":[]} | the opening is that of an object",
        "{} | {\"blinding\":\"$T\",\"elements\":[]} | the opening is that of an array, found {}",
        "{\"a\":1} | {\"blinding\":\"$T\",\"members\":{},\"others\":[]} | /a: the value is shown"
            + " without an opening",
        "{} | {\"blinding\":\"$T\",\"members\":{\"a\":\"$T\"},\"others\":[]} | /a: the opening shows"
            + " a value, but there is none",
        "{\"a\":1} | {\"blinding\":\"$T\",\"members\":{\"a\":{\"commitment\":\"$T\"}},\"others\":[]}"
            + " | /a: the value is withheld, found 1",
        "{} | {\"blinding\":\"$T\",\"members\":{},\"others\":[\"$T\",\"$T\"]} | : the commitments of"
            + " other members are not in ascending order",
        "{} | {\"blinding\":\"$T\",\"members\":{},\"others\":[\"$L\",\"$T\"]} | : the commitments of"
            + " other members are not in ascending order",
        "[1] | {\"blinding\":\"$T\",\"elements\":[]} | : 1 elements are shown, but the opening has 0",
        "[1] | {\"blinding\":\"$T\",\"elements\":[{\"commitment\":\"$T\"}]} | /0: the element is"
            + " withheld, found 1",
        "[null] | {\"blinding\":\"$T\",\"elements\":[{\"commitment\":\"$T\"}]} | /0: the last element"
            + " that is shown must be the last one in the array",
        "[] | {\"blinding\":\"$T\",\"elements\":[\"$T\"]} | /0: the last element that is shown must be"
            + " the last one in the array"
      })
  void opening_that_does_not_fit_the_value_is_refused(String shown, String opening, String message)
      throws DocumentFormatException {
    Opening read =
        Opening.fromJson(JsonText.parse(opening.replace("$T", TEXT).replace("$L", LARGER)));
    assertThatThrownBy(() -> COMMITTER.verify(JsonText.parse(shown), read))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessageContaining(message);
  }

  @Test
  void member_that_is_shown_and_is_also_one_of_the_others_is_refused() {
    JsonObject line = JsonObject.of("a", 1, "b", 2);
    Opening.Members all = (Opening.Members) COMMITTER.expand(line, new Opening.Complete(SEED));
    Commitment b =
        COMMITTER.memberDigest("b", COMMITTER.commit(JsonValue.of(2), COMMITTER.member(SEED, "b")));
    Opening twice = new Opening.Members(all.blinding(), all.members(), List.of(b));

    assertThatThrownBy(() -> COMMITTER.verify(line, twice))
        .hasMessage("/b: the member is shown, and is also one of the other members");
  }

  @Test
  void number_of_slots_must_be_a_multiple_of_the_padding() throws DocumentFormatException {
    Committer padded = new Committer(new PublicForm(4));
    JsonObject line = JsonObject.of("a", 1, "b", JsonArray.of(1, 2, 3, 4, 5));
    Opening.Members all = (Opening.Members) padded.expand(line, new Opening.Complete(SEED));
    assertThat(all.members().size() + all.others().size()).isEqualTo(4);
    assertThat(padded.verify(line, all)).isEqualTo(padded.commit(line, SEED));
    Map<String, Opening> members = new TreeMap<>(all.members());
    Opening.Elements elements = (Opening.Elements)
        padded.expand(line.get("b"), new Opening.Complete(padded.member(SEED, "b")));
    assertThat(elements.elements()).hasSize(8);
    members.put("b", elements);
    assertThat(padded.verify(line, new Opening.Members(all.blinding(), members, all.others())))
        .isEqualTo(padded.commit(line, SEED));

    List<Commitment> fewer = new ArrayList<>(all.others());
    fewer.remove(0);
    assertThatThrownBy(
            () -> padded.verify(line, new Opening.Members(all.blinding(), all.members(), fewer)))
        .hasMessage(": replay.public/1+pad4 has a multiple of 4 commitments, found 3");
    assertThat(padded.commit(JsonObject.EMPTY, SEED))
        .isNotEqualTo(COMMITTER.commit(JsonObject.EMPTY, SEED));
  }

  @Test
  void opening_of_a_complete_value_is_expanded_one_level() throws DocumentFormatException {
    JsonObject line = JsonText.parse("{\"a\":[1,{\"b\":null}],\"c\":\"x\"}").asObject();
    Opening complete = new Opening.Complete(SEED);

    Opening.Members members = (Opening.Members) COMMITTER.expand(line, complete);

    assertThat(members.members().values()).allMatch(Opening.Complete.class::isInstance);
    assertThat(COMMITTER.verify(line, members)).isEqualTo(COMMITTER.commit(line, SEED));
    assertThat(COMMITTER.expand(JsonValue.of(1), complete)).isSameAs(complete);
    Opening withheld = new Opening.Withheld(COMMITTER.commit(line, SEED), null);
    assertThat(COMMITTER.expand(line, withheld)).isSameAs(withheld);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "replay.public/1",
        "replay.public/1+pad2",
        "replay.public/1+pad8",
        "replay.public/1+pad1024"
      })
  void form_has_one_text(String id) {
    assertThat(PublicForm.tryParse(id)).isNotNull().extracting(PublicForm::id).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "replay.public/2",
        "replay.public/1+pad",
        "replay.public/1+pad0",
        "replay.public/1+pad1",
        "replay.public/1+pad08",
        "replay.public/1+pad1025",
        "replay.public/1+pad9999",
        "replay.public/1+pad8 ",
        "replay.public/1+pad8+pad8"
      })
  void unknown_form_is_not_parsed(String id) {
    assertThat(PublicForm.tryParse(id)).isNull();
  }

  @Test
  void seeds_and_rules_that_cannot_be_are_refused_and_a_seed_is_not_printed() {
    assertThatThrownBy(() -> COMMITTER.line(Salt.of(new byte[Salt.BYTES]), 0, new byte[0]))
        .hasMessage("lines are numbered from 1: 0");
    assertThatThrownBy(() -> Seed.of(new byte[31])).hasMessage("expected 32 bytes, found 31");
    assertThatThrownBy(() -> new Opening.Withheld(Commitment.of(new byte[32]), "a b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PublicForm(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PublicForm(1025)).isInstanceOf(IllegalArgumentException.class);
    assertThat(SEED).hasToString("seed");
    assertThat(new Opening.Complete(SEED).toString()).doesNotContain(SEED.text());
  }
}
