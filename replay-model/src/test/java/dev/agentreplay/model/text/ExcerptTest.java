package dev.agentreplay.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExcerptTest {

  private static final String FACE = "\ud83d\ude00";

  @Test
  void beginning_has_no_half_of_a_surrogate_pair() {
    assertThat(Excerpt.beginning("ab" + FACE, 3)).isEqualTo("ab");
    assertThat(Excerpt.beginning("ab" + FACE, 4)).isEqualTo("ab" + FACE);
    assertThat(Excerpt.beginning("ab" + FACE + "c", 4)).isEqualTo("ab" + FACE);
    assertThat(Excerpt.beginning("", 0)).isEmpty();
  }

  @Test
  void text_of_a_message_is_marked_when_it_is_cut() {
    String text = "x".repeat(60);

    assertThat(Excerpt.of(text)).isEqualTo(text);
    assertThat(Excerpt.of(text + "y")).isEqualTo(text + "...");
    assertThat(Excerpt.of("x".repeat(59) + FACE)).isEqualTo("x".repeat(59) + "...");
  }

  @Test
  void shortened_text_is_marked_when_it_is_cut() {
    assertThat(Excerpt.shortened("abc", 3)).isEqualTo("abc");
    assertThat(Excerpt.shortened("abcd", 3)).isEqualTo("abc…");
    assertThat(Excerpt.shortened("ab" + FACE, 3)).isEqualTo("ab…");
  }

  @Test
  void index_within_a_pair_is_moved_before_it_and_others_are_kept() {
    assertThat(Excerpt.floor("a" + FACE, 2)).isEqualTo(1);
    assertThat(Excerpt.floor("a" + FACE, 3)).isEqualTo(3);
    assertThat(Excerpt.floor("a\ude00", 1)).as("a lone one is no pair").isEqualTo(1);
  }
}
