package dev.agentreplay.engine.diff.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathPatternTest {

  @ParameterizedTest
  @CsvSource({
    "/output, /output",
    "/output/*, /output/a",
    "/output/*/price, /output/0/price",
    "/output/**, /output",
    "/output/**, /output/a/b/c",
    "/output/**/etag, /output/etag",
    "/output/**/etag, /output/a/0/etag",
    "/**, /a",
    "/**/**/b, /a/b",
    "/**/a/**/b, /x/a/y/z/b",
    "/**/a/b, /a/a/b",
    "/a/**/*, /a/b",
    "/~0~1, /~0~1",
    "/~2, /*",
    "/~2~2, /**",
    "/a*, /a*",
    "/ä, /ä",
  })
  void pattern_matches_path(String pattern, String path) {
    assertThat(matches(pattern, path)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "/output, /outputs",
    "/output, /output/a",
    "/output/*, /output",
    "/output/*, /output/a/b",
    "/output/**/etag, /output/etag/a",
    "/a/**/*, /a",
    "/~2, /a",
    "/~2~2, /a/b",
    "/a*, /ab",
    "/*, /a/b",
    "/**/a/b, /a/x/b",
  })
  void pattern_does_not_match_path(String pattern, String path) {
    assertThat(matches(pattern, path)).isFalse();
  }

  @Test
  void empty_name_is_a_name() {
    assertThat(matches("/", "/")).isTrue();
    assertThat(matches("/a/", "/a/")).isTrue();
    assertThat(matches("/a/", "/a")).isFalse();
  }

  @Test
  void many_stars_take_no_more_than_their_number() {
    String pattern = "/**/a".repeat(29) + "/b";
    String path = "/a".repeat(1_000);
    assertThat(matches(pattern, path)).isFalse();
    assertThat(matches(pattern, path + "/b")).isTrue();
  }

  @Test
  void sixty_tokens_are_the_most() {
    assertThat(matches("/**".repeat(60), "/a")).isTrue();
    assertThat(matches("/a".repeat(60), "/a".repeat(60))).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PathPattern.parse("/a".repeat(61)))
        .withMessageStartingWith("pattern has more than 60 tokens: 61 in \"/a/a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "output", "*", "/a~", "/~3", "/~/", "/a/~"})
  void pattern_that_is_none_is_refused(String pattern) {
    assertThatIllegalArgumentException().isThrownBy(() -> PathPattern.parse(pattern));
  }

  private static boolean matches(String pattern, String path) {
    PathPattern parsed = PathPattern.parse(pattern);
    long state = parsed.start();
    for (String token : path.substring(1).split("/", -1)) {
      state = parsed.next(state, token.replace("~1", "/").replace("~0", "~"));
    }
    return parsed.matches(state);
  }
}
