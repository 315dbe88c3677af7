package dev.agentreplay.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {

  /** As the JDK knows them, which is not all: it has no Default_Ignorable_Code_Point. */
  private static final Pattern OBEYED_OR_NOT_SEEN =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]|[\\p{Z}&&[^ ]]");

  private static final Pattern ESCAPE = Pattern.compile("(?:\\\\u[0-9a-f]{4}){1,2}");

  @Test
  void each_character_is_itself_or_one_picture_that_is_seen() {
    IntStream wrong = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
        .filter(c -> !isItselfOrOnePicture(Character.toString(c), PlainText.isShown(c)));
    assertThat(wrong.mapToObj("U+%04X"::formatted)).isEmpty();
  }

  private static boolean isItselfOrOnePicture(String text, boolean isShown) {
    String plain = PlainText.of(text);
    String escaped = PlainText.escaped(text);
    return plain.codePointCount(0, plain.length()) == 1
        && PlainText.isShown(plain.codePointAt(0))
        && PlainText.of(plain).equals(plain)
        && plain.equals(text) == isShown
        && (isShown ? escaped.equals(text) : ESCAPE.matcher(escaped).matches())
        && !(isShown && OBEYED_OR_NOT_SEEN.matcher(text).matches());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x00, 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4,
        0x17b5, 0x180b, 0x180e, 0x180f, 0x2000, 0x200b, 0x200f, 0x2028, 0x202e, 0x2060, 0x2065,
        0x2069, 0x2800, 0x3000, 0x3164, 0xd800, 0xdfff, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff0,
        0xfff8, 0xfffb, 0x1bca0, 0x1d173, 0xe0000, 0xe0001, 0xe0080, 0xe0100, 0xe01ef, 0xe0fff
      })
  void command_with_a_character_that_is_not_seen_does_not_look_like_the_command(int c) {
    assertThat(PlainText.of("rm" + Character.toString(c) + " -rf"))
        .doesNotContain(Character.toString(c))
        .matches("rm[\\x{2400}-\\x{2421}\\x{2423}\\x{fffd}] -rf");
  }

  @Test
  void letters_of_all_scripts_and_emoji_are_as_they_are() {
    String text = "aé ß Ω ж 漢字 한글 हिन्दी עברית العربية ไทย 😀 ❤\ufe0f ⚠\ufe0e ↔\ufe0f";
    assertThat(PlainText.of(text)).isEqualTo(text);
  }

  @Test
  void variation_selector_is_left_once_and_behind_a_symbol_only() {
    assertThat(PlainText.of("rm\ufe0f")).isEqualTo("rm\ufffd");
    assertThat(PlainText.of("\ufe0f")).isEqualTo("\ufffd");
    assertThat(PlainText.of("❤\ufe0f\ufe0f")).isEqualTo("❤\ufe0f\ufffd");
    assertThat(PlainText.of("❤\ufe00")).isEqualTo("❤\ufffd");
    assertThat(PlainText.of("\u2800\ufe0f")).isEqualTo("␣\ufffd"); // the blank is a symbol, too
    assertThat(PlainText.escaped("❤\ufe0f")).isEqualTo("❤\\ufe0f");
  }

  @Test
  void text_is_cut_behind_whole_characters() {
    assertThat(PlainText.fit("a\u001bcdef", 4)).isEqualTo("a␛c…");
    assertThat(PlainText.fitEnd("abcd\u001bf", 4)).isEqualTo("…d␛f");
  }

  @Test
  void things_are_counted_in_the_singular_and_the_plural() {
    assertThat(PlainText.count(0, "line")).isEqualTo("0 lines");
    assertThat(PlainText.count(1, "line")).isEqualTo("1 line");
    assertThat(PlainText.count(12_345, "line")).isEqualTo("12,345 lines");
  }
}
