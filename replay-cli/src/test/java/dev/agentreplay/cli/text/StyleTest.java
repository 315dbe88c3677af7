package dev.agentreplay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StyleTest {

  @Test
  void what_a_terminal_would_obey_is_shown_as_a_picture() {
    assertThat(Style.plain("a\u001b[2Jb\r\n\tc\u007f\u009b\u202e"))
        .isEqualTo("a␛[2Jb␍␊␉c␡\ufffd\ufffd");
  }

  @Test
  void text_is_cut_by_code_points_and_marked() {
    assertThat(Style.fit("abcdef", 6)).isEqualTo("abcdef");
    assertThat(Style.fit("abcdefg", 6)).isEqualTo("abcde…");
    assertThat(Style.fit("😀😀😀😀", 3)).isEqualTo("😀😀…");
    assertThat(Style.fit("x".repeat(1_000_000), 5)).isEqualTo("xxxx…");
  }
}
