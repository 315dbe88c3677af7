package dev.agentreplay.publish.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.testkit.TestData;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Table: texts with users in paths, and texts that have none. */
class UserPathsTest {

  private static List<String[]> rows() {
    return TestData.lines("/policy/user-paths.tsv").stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split("\t"))
        .toList();
  }

  static Stream<Arguments> mapped() {
    return rows().stream().filter(row -> row.length == 2).map(row -> Arguments.of(row[0], row[1]));
  }

  static Stream<String> unchanged() {
    return rows().stream().filter(row -> row.length == 1).map(row -> row[0]);
  }

  @ParameterizedTest
  @MethodSource("mapped")
  void the_user_in_a_path_is_replaced(String text, String expected) {
    assertThat(UserPaths.map(text)).isEqualTo(expected);
    assertThat(UserPaths.map(expected)).isNull();
  }

  @ParameterizedTest
  @MethodSource("unchanged")
  void a_text_without_a_user_stays(String text) {
    assertThat(UserPaths.map(text)).isNull();
  }

  @Test
  void paths_across_lines_are_replaced() {
    assertThat(UserPaths.map("cd\n/home/alice\n/Users/bob\t/home/carol"))
        .isEqualTo("cd\n/home/user\n/Users/user\t/home/user");
  }

  @Test
  void the_table_has_texts_of_both_kinds() {
    assertThat(mapped().count()).isGreaterThanOrEqualTo(50);
    assertThat(unchanged().count()).isGreaterThanOrEqualTo(25);
  }

  @Test
  void a_text_of_nothing_but_candidates_takes_linear_time() {
    for (String part :
        List.of("/home", "/", "\\", "%2F", "~", "/Users/", "/var/folders/", "a/home/")) {
      UserPaths.map(part.repeat(100_000 / part.length())); // minutes, if it were quadratic
    }
  }

  /** As in {@code \\\root alice\Users}, where the words before a backslash become a name. */
  @Test
  void the_name_in_place_of_root_may_begin_a_different_path() {
    String first = UserPaths.map("\\\\\\root alice\\Users");
    assertThat(first).isEqualTo("\\\\\\home\\\\user alice\\Users");
    String second = UserPaths.map(first);
    assertThat(second).isEqualTo("\\\\\\home\\\\user\\Users");
    assertThat(UserPaths.map(second)).isNull();
  }

  /** A text in which the rules are applied as often as they are. */
  @Property
  void a_mapped_text_stays(@ForAll @From("pathLike") String text) {
    String mapped = text;
    for (int round = 0; round < TextRules.MAX_ROUNDS; round++) {
      String next = UserPaths.map(mapped);
      mapped = next == null ? mapped : next;
    }

    assertThat(UserPaths.map(mapped)).isNull();
  }

  @Property
  void no_user_of_an_absolute_path_is_left(
      @ForAll @From("prefixes") String prefix, @ForAll @From("suffixes") String suffix) {
    assertThat(UserPaths.map(prefix + "zaphod" + suffix)).isNotNull().doesNotContain("zaphod");
  }

  @Provide
  Arbitrary<String> pathLike() {
    return Arbitraries.of(
            "/",
            "\\",
            "\\\\",
            "%2F",
            "%5C",
            "home",
            "Users",
            "root",
            "var",
            "folders",
            "~",
            "alice",
            "user",
            "C:",
            " ",
            "\"",
            ".",
            ":",
            "\n",
            "file://",
            "https://",
            "@",
            "a",
            "%",
            "[")
        .list()
        .ofMaxSize(14)
        .map(parts -> String.join("", parts));
  }

  @Provide
  Arbitrary<String> prefixes() {
    return Arbitraries.of(
        "/home/",
        "/Users/",
        "C:\\Users\\",
        "C:/Users/",
        "C:\\\\Users\\\\",
        "file:///home/",
        "{\"cwd\":\"/home/",
        "{\\\"cwd\\\":\\\"/home/",
        "PATH=/bin:/home/",
        "-I/home/",
        "(/home/",
        "\\n/home/",
        "\\\\n/home/",
        "%2Fhome%2F",
        "file%3A%2F%2F%2Fhome%2F",
        "'/Users/",
        "see /home/",
        "/mnt/c/Users/",
        "\\\\server\\Users\\",
        "text\\r\\n/home/",
        "--dir=/home/",
        "\\/home\\/");
  }

  @Provide
  Arbitrary<String> suffixes() {
    return Arbitraries.of(
        "", "/", "/x", "\"", "'", " and", ")", "\\\\x", "\\n", ":", ".", ",", "%2Fx");
  }
}
