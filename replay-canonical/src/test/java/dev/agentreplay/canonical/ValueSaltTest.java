package dev.agentreplay.canonical;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.Salt;
import dev.agentreplay.model.json.JsonPointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ValueSaltTest {

  private static final Salt SALT = Salt.of(counting());

  private static byte[] counting() {
    byte[] bytes = new byte[Salt.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  @Test
  void example_of_the_format_is_what_is_computed() throws IOException {
    String format = Files.readString(Path.of("../docs/format.md"), UTF_8);
    Matcher example = Pattern.compile("(?s)```\\nsalt +(\\S+)\\nline +(\\d+)\\npointer +(\\S+)\\n"
            + "message +(\\S+)\\nresult +(\\S+)\\n```")
        .matcher(format);
    assertThat(example.find()).isTrue();
    Salt salt = new Salt(example.group(1));
    String line = example.group(2);
    String pointer = example.group(3);

    assertThat(salt).isEqualTo(SALT);
    assertThat(HexFormat.of().parseHex(example.group(4)))
        .asString(UTF_8)
        .isEqualTo("replay.value-salt/1\n" + line + "\n" + pointer);
    assertThat(HexFormat.of().formatHex(of(Long.parseLong(line), pointer)))
        .isEqualTo(example.group(5));
  }

  @Test
  void salts_of_all_values_differ() {
    Set<String> salts = new HashSet<>();

    for (long line : List.of(1L, 2L, 11L, 111L, Long.MAX_VALUE)) {
      for (String pointer : List.of("", "/", "/a", "/a/0", "/1/a", "/a~10", "/\n1\n", "/\u00e9")) {
        salts.add(HexFormat.of().formatHex(of(line, pointer)));
      }
    }

    assertThat(salts).hasSize(40);
  }

  @Test
  void salt_of_a_value_depends_on_the_salt_of_the_log() {
    byte[] other = counting();
    other[31] ^= 1;

    assertThat(ValueSalt.of(Salt.of(other), 1, JsonPointer.ROOT)).isNotEqualTo(of(1, ""));
  }

  @Test
  void what_no_line_has_is_refused() {
    assertThatThrownBy(() -> of(0, "/a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lines are numbered from 1: 0");
    assertThatThrownBy(() -> of(1, "/\ud800"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("surrogate");
  }

  private static byte[] of(long line, String pointer) {
    return ValueSalt.of(SALT, line, JsonPointer.parse(pointer));
  }
}
