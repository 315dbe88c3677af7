package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentHashTest {

  /** FIPS 180-2, appendix B.1: the digest of "abc". */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void digest_is_sha_256() {
    ContentHash hash = ContentHash.sha256("abc".getBytes(StandardCharsets.US_ASCII));

    assertThat(hash).hasToString("sha256:" + ABC);
    assertThat(hash.hex()).isEqualTo(ABC);
    assertThat(hash).isEqualTo(ContentHash.of(HexFormat.of().parseHex(ABC)));
  }

  @Test
  void text_is_read_back() {
    assertThat(ContentHash.parse("sha256:" + ABC)).hasToString("sha256:" + ABC);
    assertThat(ContentHash.tryParse("sha256:" + ABC)).isEqualTo(ContentHash.tryParseHex(ABC));
    assertThat(ContentHash.parse("sha256:" + "00".repeat(32)).hex()).isEqualTo("00".repeat(32));
    assertThat(ContentHash.parse("sha256:" + "ff".repeat(32)).hex()).isEqualTo("ff".repeat(32));
  }

  @Test
  void equality_is_that_of_all_32_bytes() {
    byte[] digest = new byte[32];
    ContentHash zero = ContentHash.of(digest);
    assertThat(zero).isEqualTo(ContentHash.of(new byte[32])).isNotEqualTo(zero.toString());
    assertThat(zero).hasSameHashCodeAs(ContentHash.of(new byte[32]));
    for (int i = 0; i < 32; i++) {
      byte[] other = new byte[32];
      other[i] = 1;
      assertThat(ContentHash.of(other)).as("byte %d", i).isNotEqualTo(zero);
      assertThat(ContentHash.of(other).hex())
          .isEqualTo("00".repeat(i) + "01" + "00".repeat(31 - i));
    }
  }

  @Test
  void digits_are_written_into_an_array() {
    byte[] target = new byte[66];

    assertThat(ContentHash.parse("sha256:" + ABC).writeHex(target, 1)).isEqualTo(65);

    assertThat(new String(target, 1, 64, StandardCharsets.US_ASCII)).isEqualTo(ABC);
    assertThat(target[0]).isZero();
    assertThat(target[65]).isZero();
    assertThatThrownBy(() -> ContentHash.parse("sha256:" + ABC).writeHex(target, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void digest_is_written_into_an_array() {
    byte[] target = new byte[34];

    assertThat(ContentHash.parse("sha256:" + ABC).writeDigest(target, 1)).isEqualTo(33);

    assertThat(HexFormat.of().formatHex(target)).isEqualTo("00" + ABC + "00");
    assertThatThrownBy(() -> ContentHash.parse("sha256:" + ABC).writeDigest(target, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void every_byte_has_its_two_digits() {
    for (int value = 0; value < 256; value++) {
      byte[] digest = new byte[32];
      Arrays.fill(digest, (byte) value);

      assertThat(ContentHash.of(digest).hex())
          .isEqualTo(HexFormat.of().toHexDigits((byte) value).repeat(32));
    }
  }

  @Test
  void digest_given_is_copied() {
    byte[] digest = new byte[32];
    ContentHash hash = ContentHash.of(digest);

    digest[0] = 1;

    assertThat(hash.hex()).isEqualTo("00".repeat(32));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sha256:",
        ABC,
        "SHA256:" + ABC,
        "sha512:" + ABC,
        "sha256:" + ABC + "0",
        "sha256:" + ABC + "\n",
        " sha256:" + ABC,
        "sha256: " + ABC,
        "sha256:sha256:" + ABC,
        "sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a",
        "sha256:ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha256:\u0661a7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha256:abc123..."
      })
  void other_forms_are_refused(String text) {
    assertThat(ContentHash.tryParse(text)).isNull();
    assertThat(inArray(text)).isEqualTo(ContentHash.tryParseAnyForm(text));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContentHash.parse(text))
        .withMessage("not \"sha256:\" and 64 lower-case hexadecimal digits: " + text);
  }

  /** Parses the text in the middle of an array. */
  private static ContentHash inArray(String text) {
    byte[] utf8 = ("a" + text + "a").getBytes(StandardCharsets.UTF_8);
    return ContentHash.tryParseAnyForm(utf8, 1, utf8.length - 1);
  }

  @Test
  void text_in_an_array_is_read_in_both_forms() {
    assertThat(inArray("sha256:" + ABC)).isEqualTo(ContentHash.parse("sha256:" + ABC));
    assertThat(inArray("sha256:" + ABC).isBare()).isFalse();
    assertThat(inArray(ABC)).isEqualTo(ContentHash.parse("sha256:" + ABC));
    assertThat(inArray(ABC).isBare()).isTrue();
    assertThatThrownBy(() -> ContentHash.tryParseAnyForm(new byte[64], 1, 65))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void text_with_any_other_character_is_refused() {
    for (String other : new String[] {"/", ":", "`", "g", "G", "A", "\u0130", "\ud83d", "\u00ff"}) {
      for (int i = 0; i < ABC.length(); i++) {
        String text = ABC.substring(0, i) + other + ABC.substring(i + 1);
        assertThat(ContentHash.tryParseAnyForm(text)).isNull();
        assertThat(inArray(text)).isNull();
        assertThat(inArray("sha256:" + text)).isNull();
        assertThat(ContentHash.tryParse("sha256:" + text)).isNull();
      }
    }
    for (int i = 0; i < ABC.length() - 1; i++) {
      String text = ABC.substring(0, i) + "\ud83d\ude00" + ABC.substring(i + 2);
      assertThat(ContentHash.tryParseAnyForm(text)).isNull();
      assertThat(ContentHash.tryParse("sha256:" + text)).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sha256:" + ABC, ABC + "00", "00", "ABCDEF"})
  void other_forms_of_bare_digits_are_refused(String text) {
    assertThat(ContentHash.tryParseHex(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20, 31, 33, 64})
  void digest_of_another_length_is_refused(int length) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContentHash.of(new byte[length]))
        .withMessage("a SHA-256 digest has 32 bytes, not " + length
            + "; ContentHash.sha256(bytes) hashes bytes");
  }
}
