package dev.agentreplay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.Salt;
import java.io.IOException;
import java.io.StringReader;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SaltFormsTest {

  private static final int PIECE = 1 << 16;

  private static final Salt SALT = salt();
  private static final SaltForms FORMS = SaltForms.of(SALT);

  @Test
  void salt_is_found_wherever_the_text_is_divided() throws IOException {
    String base64 = SALT.text().replaceAll("[-_]", "").substring(0, 11); // the first part alone
    String hex = HexFormat.of().formatHex(SALT.toBytes()).substring(0, 16);
    List<String> printed = List.of(
        base64,
        hex,
        hex.toUpperCase(Locale.ROOT),
        hex.replaceAll("(..)", "$1%3A"),
        hex.replaceAll("(....)", "$1%20"),
        base64.replaceAll("(.{5})", "$1\\\\n"),
        hex.replaceAll("(.{8})", "$1\n"));
    for (String text : printed) {
      for (int before = PIECE - text.length() - 2; before <= PIECE + 2; before++) {
        assertThat(isIn(".".repeat(before) + text + "..."))
            .as(text + " at " + before)
            .isTrue();
      }
    }
  }

  @Test
  void less_than_a_part_is_not_the_salt() throws IOException {
    assertThat(isIn("")).isFalse();
    assertThat(isIn("." + SALT.text().substring(0, 8) + "%")).isFalse();
    assertThat(isIn(".".repeat(PIECE - 1) + "%3A\\n" + "x".repeat(PIECE))).isFalse();
  }

  private static boolean isIn(String text) throws IOException {
    return FORMS.isIn(new StringReader(text));
  }

  private static Salt salt() {
    byte[] bytes = new byte[Salt.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 37 + 11);
    }
    return Salt.of(bytes);
  }
}
