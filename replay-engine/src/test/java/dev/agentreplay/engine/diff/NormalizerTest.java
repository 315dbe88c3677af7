package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.pattern.ScalarRule;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.engine.diff.value.CompiledRule;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NormalizerTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001B[31mred\u001B[0m",
        "\u001B[1;38;5;196mred\u001B[m",
        "\u001B]0;title\u0007red",
        "\u001B]8;;http://a\u001B\\red\u001B]8;;\u001B\\",
        "\u009B31mred",
        "\u001B(Bred\u001B=",
        "\u001B[2K\u001B[1Gred",
        "\u001BPdata\u001B\\red",
      })
  void ansi_codes_are_removed(String text) {
    assertThat(normalized(Normalizer.ansiCodes(), text)).isEqualTo("red");
  }

  @Test
  void text_other_than_an_ansi_code_stays() {
    assertThat(normalized(Normalizer.ansiCodes(), "[31m \u001B")).isEqualTo("[31m \u001B");
  }

  @Test
  void uuids_are_replaced() {
    assertThat(normalized(Normalizer.uuids(), "x 123e4567-e89b-12d3-a456-426614174000/y"))
        .isEqualTo("x <uuid>/y");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024-05-20",
        "2024/05/20",
        "20 May 2024",
        "20-May-2024",
        "May 20, 2024",
        "May 20th, 2024",
        "Mon, May 20 2024",
        "5/20/2024",
        "20.5.2024",
        "2024-05-20T10:00:00Z",
        "Nov 21 08:17",
      })
  void dates_are_replaced_as_a_whole(String text) {
    assertThat(normalized(Normalizer.dates(), "on " + text + ";")).isEqualTo("on <date>;");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2024", "1.2.3", "10:00", "20240520", "1.2.20245", "2024-05-200"})
  void text_other_than_a_date_stays(String text) {
    assertThat(normalized(Normalizer.dates(), text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "/tmp/tmp.Xa8/a.txt, <temp>/a.txt",
        "rm -rf /tmp/x1y2, rm -rf <temp>",
        "/var/tmp/x/y, <temp>/y",
        "/private/tmp/x/y, <temp>/y",
        "/var/folders/zz/zyx_1n0000gn/T/junit42/y, <temp>/y",
        "/private/var/folders/zz/zyx_1n0000gn/T/junit42, <temp>",
        "file:///tmp/x/y, <temp>/y",
        "C:\\Users\\Jane Doe\\AppData\\Local\\Temp\\junit42\\y, <temp>\\y",
        "C:\\\\Users\\\\me\\\\AppData\\\\Local\\\\Temp\\\\junit42\\\\y, <temp>\\\\y",
        "C:/Windows/Temp/x/y, <temp>/y",
        "$TMPDIR/x/y, <temp>/y",
        "${TMPDIR}/x/y, <temp>/y",
        "%TEMP%\\x\\y, <temp>\\y",
        "a\\n/tmp/x/y, a\\n<temp>/y",
      })
  void temporary_folders_are_replaced_with_the_name_in_them(String text, String expected) {
    assertThat(normalized(Normalizer.temporaryFolders(), text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/tmp",
        "/tmp/",
        "/home/me/tmp/x",
        "src/tmp/x",
        "./tmp/x",
        "/tmpfs/x",
        "/tmp/*.log",
        "/var/folders/x",
        "D:\\Templates\\x",
      })
  void other_folders_stay(String text) {
    assertThat(normalized(Normalizer.temporaryFolders(), text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "/home/me/my project, /home/me/my project/src/A.java:3, <ws>/src/A.java:3",
        "/home/me/my project, --dir=/home/me/my project, --dir=<ws>",
        "/home/me/my project, file:///home/me/my%20project/a, <ws>/a",
        "/home/me/my project/, /home/me/my project/a, <ws>/a",
        "/home/me/p, In /home/me/p., In <ws>.",
        "/home/me/p, \"\\n/home/me/p/a\", \"\\n<ws>/a\"",
        "/home/me/p, /home/me/p2/a, /home/me/p2/a",
        "/home/me/p, /home/me/p.bak/a, /home/me/p.bak/a",
        "/home/me/p, /srv/home/me/p/a, /srv/home/me/p/a",
        "/home/m.e/p, /home/mxe/p/a, /home/mxe/p/a",
        "C:\\work\\p, C:\\work\\p\\a, <ws>\\a",
        "C:\\work\\p, c:/Work/p/a, <ws>/a",
        "C:\\work\\p, C:\\\\work\\\\p\\\\a, <ws>\\\\a",
        "C:/code/p, file:///C:/code/p/a, <ws>/a",
        "C:/code/p, D:/code/p/a, D:/code/p/a",
        "\\\\srv\\share, \\\\srv\\share\\a, <ws>\\a",
        "/a\\E.b, /a\\E.b/c, <ws>/c",
      })
  void folder_is_replaced_by_its_name(String folder, String text, String expected) {
    assertThat(normalized(Normalizer.folder(folder, "ws"), text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "src", "/", "C:\\", "C:/", "~/p", "\\\\"})
  void folder_that_is_none_is_refused(String path) {
    assertThatIllegalArgumentException().isThrownBy(() -> Normalizer.folder(path, "ws"));
  }

  @Test
  void relative_folder_of_this_machine_is_below_the_working_directory() {
    Path folder = Path.of("target", "workspace");
    assertThat(normalized(Normalizer.folder(folder, "ws"), "in " + folder.toAbsolutePath() + "/a"))
        .isEqualTo(normalized(Normalizer.folder("/x/y", "ws"), "in /x/y/a"));
  }

  @Test
  void own_pattern_is_replaced_with_its_groups() {
    Normalizer port = Normalizer.pattern("port", "(localhost):[0-9]+", "$1:<port>");
    assertThat(normalized(port, "at localhost:8080 and localhost:81"))
        .isEqualTo("at localhost:<port> and localhost:<port>");
    assertThat(port.description()).isEqualTo("normalize port: (localhost):[0-9]+ => $1:<port>");
  }

  @Test
  void own_pattern_that_is_none_is_refused_at_once() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Normalizer.pattern("x", "a(", ""))
        .withMessage("not a regular expression: \"a(\": Unclosed group at 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Normalizer.pattern("x", "a", "$1"))
        .withMessage("not a replacement for \"a\": \"$1\": No group 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Normalizer.pattern("x", "a", "\\"))
        .withMessageStartingWith("not a replacement for \"a\": \"\\\": ");
    assertThatIllegalArgumentException().isThrownBy(() -> Normalizer.pattern(" ", "a", "b"));
  }

  @Test
  void own_pattern_that_would_take_for_ever_is_ended() {
    Normalizer bad = Normalizer.pattern("bad", "(a*)*b", "");
    assertThatExceptionOfType(RunawayPatternException.class)
        .isThrownBy(() -> normalizeLog(bad, "a".repeat(5_000)))
        .withMessage("normalizer \"bad\", (a*)*b, takes too long for a text of 5000 characters, \""
            + "a".repeat(60) + "...\", at /output/log~1s/1 in an event of the right session");
  }

  @Test
  void own_pattern_that_would_take_all_stack_is_ended() {
    Normalizer bad = Normalizer.pattern("bad", "(a|b)*c", "");
    assertThatExceptionOfType(RunawayPatternException.class)
        .isThrownBy(() -> normalizeLog(bad, "ab".repeat(500_000)))
        .withMessageStartingWith("normalizer \"bad\", (a|b)*c, takes ")
        .withMessageEndingWith(", at /output/log~1s/1 in an event of the right session");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "ansi, normalize ansi codes",
        "uuids, normalize uuids",
        "dates, normalize dates",
        "temp, normalize temporary folders",
        "workspace=/home/me, normalize folder /home/me as <workspace>",
        "workspace=C:\\p, normalize folder C:\\p as <workspace>",
        "port::[0-9]+=>:<port>, normalize port: :[0-9]+ => :<port>",
        "arrow:a=>b=>c, normalize arrow: a=>b => c",
      })
  void normalizer_is_parsed(String text, String description) {
    assertThat(Normalizer.parse(text).description()).isEqualTo(description);
  }

  @ParameterizedTest
  @EnumSource
  void id_of_a_kind_is_parsed(Normalizer.Kind kind) {
    assertThat(Normalizer.parse(kind.id())).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ANSI", "workspace", "workspace=", "a=>b", ":a=>b", "a:b"})
  void text_other_than_a_normalizer_is_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Normalizer.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "temp, /tmp/secret/a, <temp>/a",
        "uuids, 123e4567-e89b-12d3-a456-426614174000, <uuid>",
        "dates, 2024-05-20, <date>",
        "workspace=/w, /w/a, <workspace>/a",
      })
  void text_with_the_placeholder_itself_is_different(String rule, String text, String word) {
    ScalarRule scalars = scalars(Normalizer.parse(rule));
    assertThat(scalars.apply("a", JsonString.of(text)))
        .isNotEqualTo(scalars.apply("a", JsonString.of(word)));
  }

  @Test
  void numbers_stay() {
    JsonNumber number = JsonNumber.of(20240520);
    assertThat(scalars(Normalizer.dates()).apply("date", number)).isSameAs(number);
  }

  private static void normalizeLog(Normalizer normalizer, String text) throws IOException {
    JsonObject event = JsonObject.of("output", JsonObject.of("log/s", JsonArray.of("x", text)));
    try {
      CompiledRules.of(List.of(normalizer), CanonicalJson.SERDE).normalize(event, Side.RIGHT);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static String normalized(Normalizer normalizer, String text) {
    return TestValues.readable(
        scalars(normalizer).apply("member", JsonString.of(text)).asString());
  }

  private static ScalarRule scalars(Normalizer normalizer) {
    return Objects.requireNonNull(CompiledRule.of(normalizer).scalars());
  }
}
