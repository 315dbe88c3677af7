package dev.agentreplay.canonical.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The JSON forms of proofs, and how they are made. */
class ProofJsonTest {

  private static final InclusionProof INCLUSION = TreeFixture.inclusionProof(6, 13);
  private static final ConsistencyProof CONSISTENCY = TreeFixture.consistencyProof(6, 13);

  @Test
  void json_is_canonical_and_reads_back_as_the_same_proof() throws DocumentFormatException {
    for (int size = 1; size < 20; size++) {
      for (int line = 1; line <= size; line++) {
        InclusionProof proof = TreeFixture.inclusionProof(line, size);
        assertThat(InclusionProof.fromJson(reread(proof.toJson()))).isEqualTo(proof);
        ConsistencyProof growth = TreeFixture.consistencyProof(line, size);
        assertThat(ConsistencyProof.fromJson(reread(growth.toJson()))).isEqualTo(growth);
      }
    }
  }

  private static JsonObject reread(JsonObject json) {
    byte[] utf8 = json.toString().getBytes(UTF_8);
    assertThat(CanonicalJson.SERDE.isCanonical(utf8)).isTrue();
    return JsonText.parse(utf8).asObject();
  }

  @Test
  void flipped_bit_of_a_inclusion_proof_is_refused_or_another_head_or_no_proof() {
    byte[] utf8 = INCLUSION.toJson().toString().getBytes(UTF_8);
    for (int bit = 0; bit < utf8.length * 8; bit++) {
      InclusionProof altered = flipped(utf8, bit, InclusionProof::fromJson);
      if (altered != null && altered.tree().equals(INCLUSION.tree())) {
        assertThat(altered.holds()).as("bit %d", bit).isFalse();
      }
    }
  }

  @Test
  void flipped_bit_of_a_consistency_proof_is_refused_or_another_head_or_no_proof() {
    byte[] utf8 = CONSISTENCY.toJson().toString().getBytes(UTF_8);
    for (int bit = 0; bit < utf8.length * 8; bit++) {
      ConsistencyProof altered = flipped(utf8, bit, ConsistencyProof::fromJson);
      if (altered != null
          && altered.first().equals(CONSISTENCY.first())
          && altered.second().equals(CONSISTENCY.second())) {
        assertThat(altered.holds()).as("bit %d", bit).isFalse();
      }
    }
  }

  private interface Reader<T> {
    T read(JsonObject json) throws DocumentFormatException;
  }

  /** The result of reading after one bit is changed; null if it is refused. */
  private static <T> T flipped(byte[] utf8, int bit, Reader<T> reader) {
    byte[] altered = utf8.clone();
    altered[bit / 8] ^= (byte) (1 << bit % 8);
    try {
      return JsonText.parse(altered) instanceof JsonObject object ? reader.read(object) : null;
    } catch (IllegalArgumentException | DocumentFormatException refused) {
      return null;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schema    | \"replay.inclusion/2\" | /schema: must be \"replay.inclusion/1\", found"
            + " \"replay.inclusion/2\"",
        "line      | 0                      | /line: must be an integer of 64 bits from 1, found 0",
        "line      | 6.0                    | /line: must be an integer of 64 bits from 1, found"
            + " 6.0",
        "line      | 18446744073709551622    | /line: must be an integer of 64 bits from 1, found"
            + " 18446744073709551622",
        "text      | {}                     | /text: must be a string, found {}",
        "tree_size | -1                     | /tree_size: must be an integer of 64 bits from 0,"
            + " found -1",
        "tree_root | \"sha256:00\"          | /tree_root: must be \"sha256:\" and 64 lower-case"
            + " hexadecimal digits, found \"sha256:00\"",
        "path      | null                   | /path: must be an array, found null",
        "path      | [1]                    | /path/0: must be \"sha256:\" and 64 lower-case"
            + " hexadecimal digits, found 1",
        "index     | 5                      | /index: unknown member",
      })
  void member_of_a_inclusion_proof_that_is_not_as_it_should_be_is_refused(
      String name, String value, String message) {
    JsonObject altered = INCLUSION.toJson().with(name, JsonText.parse(value));
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> InclusionProof.fromJson(altered))
        .withMessage(message);
  }

  @Test
  void member_that_is_missing_is_refused() {
    for (String name : INCLUSION.toJson().names()) {
      assertThatExceptionOfType(DocumentFormatException.class)
          .isThrownBy(() -> InclusionProof.fromJson(INCLUSION.toJson().without(name)))
          .withMessageStartingWith("/" + name + ": must be ")
          .withMessageEndingWith(", found nothing");
    }
    for (String name : CONSISTENCY.toJson().names()) {
      assertThatExceptionOfType(DocumentFormatException.class)
          .isThrownBy(() -> ConsistencyProof.fromJson(CONSISTENCY.toJson().without(name)))
          .withMessageStartingWith("/" + name + ": must be ")
          .withMessageEndingWith(", found nothing");
    }
  }

  @Test
  void head_in_a_consistency_proof_that_is_not_as_it_should_be_is_refused_with_its_place() {
    JsonObject json = CONSISTENCY.toJson();
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> ConsistencyProof.fromJson(json.with("second", JsonArray.EMPTY)))
        .withMessage("/second: must be an object, found []");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> ConsistencyProof.fromJson(json.with("second", JsonObject.of("a", 1))))
        .withMessage("/second/a: unknown member");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> ConsistencyProof.fromJson(
            json.with("first", json.at("/first").asObject().with("tree_size", "6"))))
        .withMessage("/first/tree_size: must be an integer of 64 bits from 0, found \"6\"");
    assertThatExceptionOfType(DocumentFormatException.class)
        .isThrownBy(() -> ConsistencyProof.fromJson(json.with("x", JsonValue.of(1))))
        .withMessage("/x: unknown member");
  }

  @Test
  void line_that_is_not_utf8_cannot_be_shown_but_the_others_can() {
    byte[] line = {'"', (byte) 0xff, '"'};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InclusionProof.builder(2, 2).add(new byte[] {'1'}).add(line))
        .withMessage("line 2 is not UTF-8");
    assertThat(
            InclusionProof.builder(1, 2).add(new byte[] {'1'}).add(line).build().holds())
        .isTrue();
  }

  @Test
  void text_with_a_lone_surrogate_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new InclusionProof(1, "\ud800", TreeFixture.head(1), List.of()));
  }

  @Test
  void builder_takes_all_lines_and_no_more() {
    InclusionProof.Builder line = InclusionProof.builder(1, 2).add(new byte[0]);
    assertThatIllegalStateException()
        .isThrownBy(line::build)
        .withMessage("only 1 of 2 lines have been added");
    line.add(new byte[0]);
    assertThatIllegalStateException()
        .isThrownBy(() -> line.add(new byte[0]))
        .withMessage("all 2 lines have already been added");
    ConsistencyProof.Builder growth = ConsistencyProof.builder(0, 1);
    assertThatIllegalStateException()
        .isThrownBy(growth::build)
        .withMessage("only 0 of 1 lines have been added");
  }

  @ParameterizedTest
  @CsvSource({"0,1", "2,1", "1,0", "-1,-1", "-9223372036854775808,1"})
  void line_that_the_log_does_not_have_is_refused(long line, long size) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> InclusionProof.builder(line, size));
  }

  @ParameterizedTest
  @CsvSource({"-1,1", "2,1", "-2,-1"})
  void sizes_that_no_log_has_are_refused(long first, long second) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> ConsistencyProof.builder(first, second));
  }
}
