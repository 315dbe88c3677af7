package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MediaContentTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "image/png",
        "IMAGE/PNG",
        "application/vnd.api+json",
        "text/csv; charset=utf-8",
        "a/b;c"
      })
  void media_type_of_the_standard_is_kept_as_it_was_given(String mediaType) {
    assertThat(MediaContent.of(mediaType, new byte[0]).mediaType()).isEqualTo(mediaType);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "png", "image/", "/png", "image/png/x", "image/png charset", "a/b;\n"})
  void text_in_a_different_form_is_refused(String mediaType) {
    assertThatThrownBy(() -> MediaContent.of(mediaType, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected a media type such as \"image/png\", found \"" + mediaType + "\"");
  }

  @Test
  void bytes_are_copied() {
    byte[] bytes = {1};
    MediaContent content = MediaContent.of("image/png", bytes);
    bytes[0] = 2;
    content.bytes()[0] = 3;

    assertThat(content.bytes()).containsExactly(1);
    assertThat(JsonValue.of(content)).isEqualTo(JsonString.of("AQ=="));
  }

  @Test
  void contents_are_equal_if_type_and_bytes_are() {
    MediaContent content = MediaContent.of("image/png", new byte[] {1});

    assertThat(content)
        .isEqualTo(MediaContent.of("image/png", new byte[] {1}))
        .hasSameHashCodeAs(MediaContent.of("image/png", new byte[] {1}))
        .isNotEqualTo(MediaContent.of("image/gif", new byte[] {1}))
        .isNotEqualTo(MediaContent.of("image/png", new byte[] {2}))
        .hasToString("image/png, 1 bytes");
  }
}
