package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DiffLimits;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.report.embedded.Embedding;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Excerpts of comparisons under rules: what a rule made equal is not shown as changed. */
class ExcerptRulesTest {

  private static final String ID = "c41e0f7a-91d2-4c55-8f10-2b7a9e6d0c31";
  private static final String OTHER_ID = "98f0b3de-1c44-4a8f-b7d3-5e02c9a1f6d8";

  @TempDir
  Path home;

  private int sessions;

  private SessionDiff diff(Object before, Object after, DiffOptions options) throws IOException {
    return SessionDiff.between(session(before), session(after), options);
  }

  private Session session(Object output) throws IOException {
    Path directory = home.resolve(Integer.toString(sessions++));
    return ViewedSessions.write(directory, ViewedSessions.call("1", "t", "p", output, true));
  }

  private SessionDiff diff(Object before, Object after, ComparisonRule... rules)
      throws IOException {
    return diff(before, after, DiffOptions.defaults().plus(rules));
  }

  /** The lines of the text report below the first place that differs. */
  private static String shown(SessionDiff diff) {
    return TextReport.render(diff)
        .lines()
        .dropWhile(line -> !line.startsWith("     at "))
        .skip(1)
        .takeWhile(line -> !line.isBlank() && !line.contains("SessionEnd"))
        .map(line -> line.substring(5))
        .collect(Collectors.joining("\n"));
  }

  private String shown(Object before, Object after, ComparisonRule... rules) throws IOException {
    return shown(diff(before, after, rules));
  }

  /** The segments of a line that are marked as changed. */
  private static List<String> changed(SessionDiff diff) {
    ChangeExcerpt.Limits limits = new ChangeExcerpt.Limits(20, 100);
    return ChangeExcerpt.of(diff.divergences().get(0).firstChange(), limits).lines().stream()
        .flatMap(line -> line.segments().stream())
        .filter(ChangeExcerpt.Segment::changed)
        .map(ChangeExcerpt.Segment::text)
        .toList();
  }

  @Test
  void of_text_that_is_json_only_the_member_that_differs_is_shown_as_changed() throws IOException {
    String before = "{\"etag\": \"" + ID + "\", \"load\": 0.71}";
    String after = "{\"etag\": \"" + OTHER_ID + "\", \"load\": 0.93}";
    SessionDiff diff = diff(before, after, Ignore.ids());

    assertThat(shown(diff))
        .isEqualTo("  \"etag\": \"" + ID + "\"\n- \"load\": 0.71\n+ \"load\": 0.93");
    assertThat(MarkdownReport.render(diff))
        .contains("\n  \"etag\": \"" + ID + "\"\n- \"load\": 0.71\n+ \"load\": 0.93\n")
        .doesNotContain(OTHER_ID);
    assertThat(JUnitReport.render(diff)).contains(ID).doesNotContain(OTHER_ID);
  }

  @Test
  void of_text_that_a_rule_reaches_into_only_the_places_that_differ_are_shown() throws IOException {
    String before = "{\"etag\": \"" + ID + "\", \"load\": 0.71, \"at\": 1, \"ok\": true}";
    String after = "{\"etag\": \"" + OTHER_ID + "\", \"load\": 0.93, \"at\": 2, \"ok\": true}";
    SessionDiff diff = diff(before, after, Ignore.ids(), Ignore.at("/output/at"));

    assertThat(diff.divergences().get(0).values())
        .extracting(ValueChange::pointer)
        .containsExactly("/output/load");
    assertThat(TextReport.render(diff)).contains("     at /output/load\n");
    assertThat(shown(diff)).isEqualTo("- 0.71\n+ 0.93");
    assertThat(MarkdownReport.render(diff))
        .contains("at `/output/load`", "\n- 0.71\n+ 0.93\n")
        .doesNotContain(ID, OTHER_ID);
    assertThat(JUnitReport.render(diff)).contains("0.71").doesNotContain(ID, OTHER_ID);
    JsonObject embedded = new EmbeddedChange(new Embedding(1 << 16, Long.MAX_VALUE))
        .of(diff.divergences().get(0).firstChange());
    assertThat(embedded.toString()).contains("0.93").doesNotContain(ID, OTHER_ID);
  }

  @Test
  void other_direction_gives_the_mirrored_excerpt() throws IOException {
    String before = "at 2026-01-02 x " + ID + "\nload 71\nend\n";
    String after = "at 2026-03-04 x " + OTHER_ID + "\nload 93\nend\n";
    ComparisonRule[] rules = {Normalizer.dates(), Normalizer.uuids()};

    assertThat(shown(before, after, rules))
        .isEqualTo("  at 2026-01-02 x " + ID + "\n- load 71\n+ load 93\n  end");
    assertThat(shown(after, before, rules))
        .isEqualTo("  at 2026-03-04 x " + OTHER_ID + "\n- load 93\n+ load 71\n  end");
    String one = "one\ntwo\n";
    String other = "two\none\n";
    assertThat(shown(one, other)).isEqualTo("- one\n  two\n+ one");
    assertThat(shown(other, one)).isEqualTo("+ one\n  two\n- one");
  }

  @Test
  void line_that_differs_is_shown_as_recorded_with_nothing_equal_marked() throws IOException {
    SessionDiff diff = diff(
        "order " + ID + " took 12 ms for mia",
        "order " + OTHER_ID + " took 340 ms for tom",
        Ignore.ids(),
        Ignore.durations());

    assertThat(shown(diff))
        .isEqualTo(
            "- order " + ID + " took 12 ms for mia\n+ order " + OTHER_ID + " took 340 ms for tom");
    assertThat(changed(diff)).containsExactly("mia", "tom");
  }

  @Test
  void long_line_is_cut_around_what_really_differs() throws IOException {
    String filler = "word ".repeat(600);
    SessionDiff diff = diff(
        ID + " " + filler + "load 71 " + filler,
        OTHER_ID + " " + filler + "load 93 " + filler,
        Ignore.ids());

    assertThat(shown(diff)).contains("load 71", "load 93", "changed at 3,043");
    assertThat(changed(diff)).containsExactly("71", "93");
  }

  @Test
  void json_in_text_is_right_at_any_depth_and_in_names() throws IOException {
    String before = "{\"runs\": [{\"id\": \"" + ID + "\", \"ok\": 1}], \"" + ID + "\": {\"a\": 1},"
        + " \"log\": \"at " + ID + "\\nload 71\\n\"}";
    String after = "{\"runs\": [{\"id\": \"" + OTHER_ID + "\", \"ok\": 2}], \"" + OTHER_ID
        + "\": {\"a\": 1}, \"log\": \"at " + OTHER_ID + "\\nload 93\\n\"}";

    assertThat(shown(JsonObject.of("body", before), JsonObject.of("body", after), Ignore.ids()))
        .isEqualTo("  \"runs\": [\n    {\n      \"id\": \"" + ID + "\"\n-     \"ok\": 1\n"
            + "+     \"ok\": 2\n    }\n  ]\n  \"" + ID + "\": {\"a\":1}\n  \"log\": (text)\n"
            + "    at " + ID + "\n-   load 71\n+   load 93");
  }

  @Test
  void json_text_that_differs_in_its_spaces_only_has_nothing_else_marked() throws IOException {
    SessionDiff diff =
        diff("{\"id\":\"" + ID + "\"}", "{\"id\": \"" + OTHER_ID + "\"}", Ignore.ids());

    assertThat(changed(diff)).containsExactly(" ");
  }

  @Test
  void replacement_that_leaves_no_json_is_shown_in_the_text() throws IOException {
    ComparisonRule own = Normalizer.pattern("load", "\"load\": [0-9]+,", "");
    SessionDiff diff = diff("{\"load\": 71, \"a\": 1}", "{\"load\": 93, \"a\": 2}", own);

    assertThat(shown(diff)).isEqualTo("- {\"load\": 71, \"a\": 1}\n+ {\"load\": 93, \"a\": 2}");
    assertThat(changed(diff)).containsExactly("1", "2");
    ComparisonRule quotes = Normalizer.pattern("quotes", "c41e[0-9a-f-]+", "x\", \"y\": \"z");
    assertThat(shown("{\"id\": \"" + ID + "\"}", "{\"id\": \"1\"}", quotes))
        .isEqualTo("- {\"id\": \"" + ID + "\"}\n+ {\"id\": \"1\"}");
  }

  @Test
  void what_was_left_out_of_a_text_is_shown_with_what_follows_it() throws IOException {
    ComparisonRule lineEnds = Normalizer.pattern("line ends", "\r\n", "\n");

    assertThat(shown(
            "\u001b[31mred\u001b[0m\r\none\r\n", "red\ntwo\n", Normalizer.ansiCodes(), lineEnds))
        .isEqualTo("  \u241b[31mred\u241b[0m\u240d\n- one\u240d\n+ two");
  }

  @Test
  void replacements_of_several_rules_and_of_what_others_replaced_are_followed() throws IOException {
    SessionDiff diff = diff(
        "open /tmp/x1/" + ID + "/a.txt and stop",
        "open /tmp/y2/" + OTHER_ID + "/a.txt or stop",
        Normalizer.temporaryFolders(),
        Normalizer.uuids(),
        Normalizer.pattern("path", "\\S+/a[.]txt", "FILE"));

    assertThat(changed(diff)).containsExactly("and", "or");
  }

  @Test
  void text_that_holds_characters_for_marks_is_not_mistaken() throws IOException {
    String escapes = "\\ue000 \\ue001 \\ue002 \ue003";
    String before = "{\"id\": \"" + ID + "\", \"a\": \"" + escapes + " x\"}";
    String after = "{\"id\": \"" + OTHER_ID + "\", \"a\": \"" + escapes + " y\"}";

    assertThat(changed(diff(before, after, Ignore.ids()))).containsExactly("x", "y");
    String all = IntStream.rangeClosed(0xe000, 0xf8ff)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
    assertThat(changed(diff(
            "{\"id\": \"" + ID + "\", \"a\": 1}" + all,
            "{\"id\": \"" + OTHER_ID + "\", \"a\": 2}" + all,
            Ignore.ids())))
        .containsExactly("1", "2");
  }

  @Test
  void close_texts_are_marked_where_they_differ() throws IOException {
    SessionDiff diff = diff(
        "the id " + ID + " belongs to the big order of mia",
        "the id " + OTHER_ID + " belongs to the small order of mia",
        Ignore.ids(),
        FuzzyText.atLeast(0.5));

    assertThat(changed(diff)).containsExactly("big", "small");
  }

  @Test
  void values_reported_as_a_whole_show_the_first_places_that_differ() throws IOException {
    String longName = "n".repeat(3_000);
    JsonObject.Builder before = JsonObject.builder();
    JsonObject.Builder after = JsonObject.builder();
    for (int i = 0; i < 100; i++) {
      before.add("m" + i, JsonObject.of("etag", i, "near", 1.0, "load", i));
      after.add("m" + i, JsonObject.of("etag", -i, "near", 1.01, "load", i + 1));
    }
    SessionDiff diff = diff(
        JsonObject.of(longName, before.build()), JsonObject.of(longName, after.build()),
        Ignore.at("/output/*/*/etag"), Tolerance.parse("/output/*/*/near=0.1"));

    assertThat(diff.divergences().get(0).changes().get(0).values()).hasSize(1);
    assertThat(shown(diff)).contains("- 0\n+ 1\n").doesNotContain("etag", "1.01");
  }

  @Test
  void arrays_compared_as_a_whole_show_the_first_elements_that_differ() throws IOException {
    DiffOptions options = DiffOptions.defaults()
        .plus(Ignore.at("/output/*/etag"), Ignore.ids())
        .withLimits(DiffLimits.defaults().withMaxElements(3));
    JsonValue before =
        JsonArray.of(JsonObject.of("etag", 1, "a", ID), JsonObject.of("etag", 2, "a", 2), 3, 4);
    JsonValue after = JsonArray.of(
        JsonObject.of("etag", 3, "a", OTHER_ID), JsonObject.of("etag", 4, "a", 5), 3, 6);

    assertThat(shown(diff(before, after, options)))
        .isEqualTo("… at /output/1/a\n- 2\n+ 5\n… the rest is compared as a whole");
    DiffOptions unordered = options.plus(UnorderedArray.at("/output"));
    assertThat(shown(diff(before, after, unordered))).isEqualTo("… compared as a whole");
  }

  @Test
  @Timeout(120)
  @Tag("slow")
  void huge_texts_with_many_replacements_give_a_few_short_lines() throws IOException {
    String lines = IntStream.range(0, 50_000)
        .mapToObj(i -> "run %08x-91d2-4c55-8f10-2b7a9e6d0c31 took %d ms\n".formatted(i, i))
        .collect(Collectors.joining());
    String others = lines.replace("-91d2-", "-11d2-");
    SessionDiff diff = diff(
        lines + "load 71\n" + lines,
        others + "load 93\n" + others,
        Ignore.ids(),
        Ignore.durations());

    assertThat(shown(diff).lines().filter(line -> !line.startsWith("  run ")))
        .containsExactly("… 49,998 lines equal", "- load 71", "+ load 93", "… 49,998 lines equal");
  }

  @Test
  void of_lines_whose_replacements_are_not_listed_none_is_shown_empty() throws IOException {
    String lines = "run 1 of 2 took 3 ms and 4 s\n".repeat(20_000);
    ComparisonRule digits = Normalizer.pattern("digits", "[0-9]", "N");
    SessionDiff diff =
        diff("a\n" + lines + "b\n" + lines + "c\n", "x\n" + lines + "y\n" + lines + "z\n", digits);

    assertThat(shown(diff).lines())
        .contains("- a", "+ x", "  run 1 of 2 took 3 ms and 4 s")
        .contains("… the rest is not compared line by line")
        .allMatch(line -> line.length() < 60)
        .doesNotContain("-", "+", "- ", "+ ");
  }
}
