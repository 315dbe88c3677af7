package dev.agentreplay.publish;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.Salt;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
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
        hex.replaceAll("(..)", "$1%3a"),
        hex.replaceAll("(....)", "$1%20"),
        hex.replaceAll("(....)", "$1%2\\\\n0"),
        base64.replaceAll("(.{5})", "$1\\\\n"),
        base64.replaceAll("(.{5})", "$1\\\\r\\\\n\\\\t"),
        hex.replaceAll("(.{8})", "$1\n"));
    for (String text : printed) {
      for (int before = PIECE - text.length() - 2; before <= PIECE + 2; before++) {
        assertThat(isIn(FORMS, ".".repeat(before) + text + "..."))
            .as(text + " at " + before)
            .isTrue();
      }
    }
  }

  @Property
  void two_thirds_of_any_form_are_found(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    byte[] bytes = new byte[Salt.BYTES];
    random.nextBytes(bytes);
    SaltForms forms = SaltForms.of(Salt.of(bytes));
    for (String form : printed(bytes, random)) {
      int length = form.length() * 2 / 3;
      int from = random.nextInt(form.length() - length + 1);
      String part = form.substring(from, from + length);
      String text = filler(random) + part + filler(random);

      assertThat(isIn(forms, text)).as(form + " from " + from).isTrue();
      assertThat(isIn(FORMS, text)).as("another salt").isFalse();
    }
  }

  /** The salt as programs print it. */
  private static List<String> printed(byte[] bytes, Random random) {
    Salt salt = Salt.of(bytes);
    List<String> printed = new ArrayList<>(SaltForms.texts(salt));
    printed.add(HexFormat.ofDelimiter(":").formatHex(bytes));
    printed.add(Arrays.toString(bytes));
    List<Integer> unsigned = new ArrayList<>();
    for (byte octet : bytes) {
      unsigned.add(octet & 0xff);
    }
    printed.add(unsigned.toString());
    printed.add(HexFormat.of().formatHex(salt.text().getBytes(US_ASCII)));
    String encoded = "x".repeat(random.nextInt(3)) + salt.text();
    String base64 = Base64.getEncoder().withoutPadding().encodeToString(encoded.getBytes(US_ASCII));
    printed.add(base64.substring(4, base64.length() - 3)); // the ends depend on what is around
    return printed;
  }

  private static String filler(Random random) {
    return random
        .ints(random.nextInt(30), 32, 127)
        .mapToObj(Character::toString)
        .collect(Collectors.joining())
        .replaceAll("[\\\\%]", ".");
  }

  @Test
  void less_than_a_part_is_not_the_salt() throws IOException {
    assertThat(isIn(FORMS, "")).isFalse();
    assertThat(isIn(FORMS, "." + SALT.text().substring(0, 8) + "%")).isFalse();
    assertThat(isIn(FORMS, ".".repeat(PIECE - 1) + "%3A\\n" + "x".repeat(PIECE)))
        .isFalse();
  }

  private static boolean isIn(SaltForms forms, String text) throws IOException {
    return forms.isIn(new StringReader(text));
  }

  private static Salt salt() {
    byte[] bytes = new byte[Salt.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 37 + 11);
    }
    return Salt.of(bytes);
  }
}
