package dev.agentreplay.sandbox.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns in the form of .gitignore; the expected results are those of git check-ignore. */
class PathPatternTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
      target/,       target/,        true
      target/,       target,         false
      target/,       a/target/,      true
      /target/,      a/target/,      false
      /target/,      target/,        true
      a/b,           a/b,            true
      a/b,           x/a/b,          false
      *.log,         a.log,          true
      *.log,         x/y/a.log,      true
      *.log,         a.logs,         false
      *.log,         .log,           true
      id_rsa*,       id_rsa.pub,     true
      id_rsa*,       my_id_rsa,      false
      a*c,           abbc,           true
      a*c,           a/c,            false
      a*b*c,         axbybzc,        true
      a*b*c,         acb,            false
      ?.txt,         a.txt,          true
      ?.txt,         ab.txt,         false
      [a-c]x,        bx,             true
      [a-c]x,        dx,             false
      [!a-c]x,       dx,             true
      [!a-c]x,       bx,             false
      [abc]*,        cat,            true
      \\*.txt,       *.txt,          true
      \\*.txt,       a.txt,          false
      \\!a,          !a,             true
      a/**,          a/b/c,          true
      a/**,          a/,             false
      **/b,          b,              true
      **/b,          a/x/b,          true
      a/**/b,        a/b,            true
      a/**/b,        a/x/y/b,        true
      a/**/b,        a/x/y/c,        false
      src/*.c,       src/a.c,        true
      src/*.c,       src/x/a.c,      false
      .env.*,        .env.local,     true
      .env.*,        .env,           false
      'a ',          a,              true
      'a ',          'a ',           false
      'a\\ ',       'a ',           true
      'a\\  ',      'a ',           true
      'a b ',        'a b',          true
      'out/ ',       out/,           true
      'out/ ',       out,            false
      \\#a,          #a,             true
      [a\\]]*,       ]b,             true
      []a],          ],              true
      [!]a],         ],              false
      [a-],          -,              true
      [\\!a],        !,              true
      a?b,           a😀b,            true
      a/**,          a,              false
      **/a/**/b/**,  x/a/y/z/b/c,    true
      **/a/**/b/**,  x/a/y/z/b,      false
      """)
  void path_matches_as_in_git(String pattern, String path, boolean matches) {
    String[] names = path.replaceFirst("/$", "").split("/", -1);
    assertThat(PathPattern.parse(pattern).matches(names, path.endsWith("/"))).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "!", "a//b", "../a", "a\0b", "//"})
  void pattern_without_a_name_is_refused(String pattern) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SnapshotOptions.defaults().withIgnored(pattern));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[a", "a/[b/c]", "a\\", "[[:alpha:]]", "[]"})
  void pattern_that_git_never_matches_or_with_a_class_is_refused(String pattern) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SnapshotOptions.defaults().withIgnored(pattern))
        .withMessageStartingWith("expected a name such as");
  }

  @Test
  @Timeout(60) // backtracking would take longer than a life
  void many_directories_of_any_depth_are_matched_without_backtracking() {
    String[] path = "a/".repeat(200).split("/");
    PathPattern pattern = PathPattern.parse("**/a/".repeat(50) + "b");

    assertThat(pattern.matches(path, false)).isFalse();
  }

  @Test
  @Timeout(60) // backtracking would take longer than a life
  void many_stars_are_matched_without_backtracking() {
    String[] name = {"a".repeat(5_000)};
    PathPattern pattern = PathPattern.parse("a*".repeat(200) + "b");

    assertThat(pattern.matches(name, false)).isFalse();
  }
}
