package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CanonicalFormTest {

  private static final byte[] TEXT =
      "{\"b\": 1, \"a\": \"\u20ac\"}".getBytes(StandardCharsets.UTF_8);
  private static final byte[] CANONICAL =
      "{\"a\":\"\u20ac\",\"b\":1}".getBytes(StandardCharsets.UTF_8);

  @Test
  void form_tells_bytes_text_size_and_hash() {
    for (CanonicalForm form :
        List.of(CanonicalJson.SERDE.form(TEXT), CanonicalJson.SERDE.form(JsonText.parse(TEXT)))) {
      assertThat(form.bytes()).isEqualTo(CANONICAL);
      assertThat(form.text()).isEqualTo("{\"a\":\"\u20ac\",\"b\":1}");
      assertThat(form.size()).isEqualTo(CANONICAL.length);
      assertThat(form.hash()).isEqualTo(ContentHash.sha256(CANONICAL));
      assertThat(form.isPortable()).isTrue();
    }
  }

  @Test
  void form_is_written_in_one_call() throws IOException {
    int[] calls = new int[1];
    ByteArrayOutputStream out = new ByteArrayOutputStream() {
      @Override
      public void write(byte[] bytes) throws IOException {
        calls[0]++;
        super.write(bytes);
      }
    };
    CanonicalJson.SERDE.form(TEXT).writeTo(out);

    assertThat(out.toByteArray()).isEqualTo(CANONICAL);
    assertThat(calls[0]).isEqualTo(1);
  }

  @Test
  void bytes_are_a_copy() {
    CanonicalForm form = CanonicalJson.SERDE.form(TEXT);
    form.bytes()[0] = 'x';

    assertThat(form.bytes()).isEqualTo(CANONICAL);
  }

  @Test
  void canonicalizations_are_identified_by_the_instance() {
    for (Canonicalization canonicalization : Canonicalization.values()) {
      CanonicalJson json = CanonicalJson.of(canonicalization);

      assertThat(json.canonicalization()).isEqualTo(canonicalization);
      assertThat(json.withRoundedIntegers().canonicalization()).isEqualTo(canonicalization);
      assertThat(CanonicalJson.of(canonicalization)).isSameAs(json);
    }
  }

  @Test
  void text_is_canonical_exactly_if_it_is_its_own_form() {
    assertThat(CanonicalJson.SERDE.isCanonical(CANONICAL)).isTrue();
    for (String other : List.of(
        "{\"a\":\"\u20ac\",\"b\":1} ",
        " {\"a\":\"\u20ac\",\"b\":1}",
        "{\"b\":1,\"a\":\"\u20ac\"}",
        "{\"a\":\"\\u20ac\",\"b\":1}",
        "{\"a\":\"\u20ac\",\"b\":1e0}",
        "-0",
        "1.50",
        "\"\\/\"",
        "\"\\u001F\"",
        "\"\\u000a\"")) {
      assertThat(CanonicalJson.SERDE.isCanonical(other.getBytes(StandardCharsets.UTF_8)))
          .as(other)
          .isFalse();
    }
    assertThat(CanonicalJson.SERDE.isCanonical("1.0".getBytes(StandardCharsets.UTF_8)))
        .isTrue();
    assertThat(CanonicalJson.JCS.isCanonical("1.0".getBytes(StandardCharsets.UTF_8)))
        .isFalse();
    assertThat(CanonicalJson.SERDE_RYU.isCanonical("1e16".getBytes(StandardCharsets.UTF_8)))
        .isTrue();
    assertThat(CanonicalJson.SERDE.isCanonical("1e16".getBytes(StandardCharsets.UTF_8)))
        .isFalse();
  }
}
