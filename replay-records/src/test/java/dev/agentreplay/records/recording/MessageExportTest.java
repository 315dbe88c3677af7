package dev.agentreplay.records.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.records.recording.InvalidExportException.Problem;
import dev.agentreplay.testkit.TestData;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each error in an export is reported with the message, the line and the member. */
class MessageExportTest {

  private static final String GOOD =
      "{\"id\":7,\"ts\":\"2026-01-01T12:00:00Z\",\"from\":\"A\",\"type\":\"DELTA\",\"body_md\":\"x\"}";

  private static final String TYPES =
      "expected one of KICKOFF, DELTA, CRITIQUE, ACK, EVIDENCE, RESULT, ADMIN, COMPILE, PUBLISH";

  @ParameterizedTest(name = "{0} -> {1}")
  @MethodSource("members")
  void member_that_is_not_as_expected_is_reported(String from, String to, String problem) {
    assertThat(GOOD).contains(from);
    String lines = GOOD.replace("7", "1") + "\n\n" + GOOD.replace(from, to) + "\n";

    assertThat(problems(lines)).containsExactly("message 2, line 3: " + problem);
  }

  static Stream<Arguments> members() {
    return Stream.of(
        Arguments.of("\"id\":7", "\"id\":0", "id: expected a positive integer, found number 0"),
        Arguments.of("\"id\":7", "\"id\":1.5", "id: expected a positive integer, found number 1.5"),
        Arguments.of(
            "\"id\":7", "\"id\":\"7\"", "id: expected a positive integer, found string \"7\""),
        Arguments.of(
            "\"id\":7", "\"id\":1", "id: expected a unique number, found 1, the one of message 1"),
        Arguments.of("\"ts\":\"2026-01-01T12:00:00Z\",", "", "ts: is missing"),
        Arguments.of("\"2026-01-01T12:00:00Z\"", "null", "ts: is missing"),
        Arguments.of("\"2026-01-01T12:00:00Z\"", "17", "ts: expected a string, found number 17"),
        Arguments.of(
            "00Z",
            "00",
            "ts: expected an ISO 8601 time with offset, found \"2026-01-01T12:00:00\""),
        Arguments.of("\"from\":\"A\",", "", "from: is missing"),
        Arguments.of("\"A\"", "\"\"", "from: expected text that is not empty, found \"\""),
        Arguments.of("\"A\"", "[\"A\"]", "from: expected a string, found array [\"A\"]"),
        Arguments.of(
            "\"type\":\"DELTA\",",
            "",
            "type: is missing, and the subject does not begin with a type and a colon"),
        Arguments.of(
            "\"type\":\"DELTA\"",
            "\"subject\":\"Hello\"",
            "type: is missing, and the subject does not begin with a type and a colon: \"Hello\""),
        Arguments.of("\"DELTA\"", "\"delta\"", "type: " + TYPES + ", found \"delta\""),
        Arguments.of("\"DELTA\"", "1", "type: expected a string, found number 1"),
        Arguments.of(
            "\"type\":\"DELTA\"",
            "\"subject\":\"RE: DELTA: x\"",
            "subject: " + TYPES + ", found \"RE\""),
        Arguments.of(
            "\"type\":\"DELTA\"",
            "\"type\":\"DELTA\",\"subject\":1",
            "subject: expected a string, found number 1"),
        Arguments.of(",\"body_md\":\"x\"", "", "body_md: is missing"),
        Arguments.of("\"x\"", "{}", "body_md: expected a string, found object {}"),
        Arguments.of(
            "\"x\"",
            "\"x\",\"acknowledged\":\"yes\"",
            "acknowledged: expected a boolean, found string \"yes\""),
        Arguments.of(
            "\"x\"",
            "\"x\",\"thread_id\":\"\"",
            "thread_id: expected text that is not empty, found \"\""),
        Arguments.of("\"x\"", "\"\\ud83d\"", "lone surrogate U+D83D at byte 73 of the line"),
        Arguments.of(GOOD, "[]", "expected an object, found array []"),
        Arguments.of(GOOD, "{", "expected a name in quotes, found the end at byte 1 of the line"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      ''              | line 1: expected a JSON value, found the end at byte 0
      []              | expected at least one message, found none
      {"messages":[]} | expected at least one message, found none
      {"messages":{}} | messages: expected an array, found object {}
      7               | expected an array, lines or an object of messages, found number 7
      [1]             | message 1, line 1: expected an object, found number 1
      {"messages":[1]}| message 1, line 1: expected an object, found number 1
      {"a":1}         | expected an array, lines or an object of messages, found object {"a":1}
      {"inputs":{},"trace":{}} | expected an array, lines or an object of messages, found a session record
      """)
  void text_that_is_not_an_export_is_reported(String text, String problem) {
    assertThat(problems(text)).containsExactly(problem);
  }

  @Test
  void one_message_may_have_several_lines() {
    String lines = GOOD.replace(",", ",\n");

    assertThat(MessageExport.read(lines.getBytes(StandardCharsets.UTF_8)).size())
        .isOne();
    assertThat(problems("\n" + lines.replace("DELTA", "D")))
        .containsExactly("message 1, line 2: type: " + TYPES + ", found \"D\"");
  }

  @Test
  void all_problems_are_reported_in_order() {
    String array =
        """
        [
          {"id": 1},
          %s,
          "x"
        ]
        """
            .formatted(GOOD);

    assertThat(problems(array))
        .containsExactly(
            "message 1, line 2: ts: is missing",
            "message 1, line 2: from: is missing",
            "message 1, line 2: type: is missing, and the subject does not begin with a type and a"
                + " colon",
            "message 1, line 2: body_md: is missing",
            "message 3, line 4: expected an object, found string \"x\"");
  }

  @Test
  void message_lists_ten_problems() {
    assertThatThrownBy(() -> read("[" + "1,".repeat(11) + "1]"))
        .isInstanceOf(InvalidExportException.class)
        .hasMessageStartingWith("invalid export of messages: message 1, line 1: expected an object")
        .hasMessageEndingWith("; and 2 more");
  }

  @Test
  void array_that_is_not_json_is_reported_at_its_line() {
    assertThat(problems("[\n" + GOOD + ",\n" + GOOD + "\n"))
        .singleElement()
        .asString()
        .startsWith("line 4: ");
    assertThat(problems("{\n\"messages\": [\n" + GOOD + "\n"))
        .singleElement()
        .asString()
        .startsWith("line 4: ");
  }

  @Test
  void messages_of_two_threads_are_refused() {
    String lines = Stream.of("T1", "T1", "T2")
        .map(thread -> GOOD.replace("\"id\":7", "\"thread_id\":\"" + thread + "\""))
        .collect(Collectors.joining("\n"));

    assertThat(problems(lines))
        .containsExactly("message 3, line 3: thread_id: expected one thread, \"T1\", found \"T2\"");
  }

  @Test
  void lines_are_those_of_the_elements() {
    String json =
        """
        {"a": ["messages", {"messages": [1]}], "b": "messages",

         "messages"
          : [ {"x": [
            "\\"]"]},

            2, 3
            ,[], "4\\\\", null]
        , "c": [1]}
        """;

    assertThat(ElementLines.of(json.getBytes(StandardCharsets.UTF_8)))
        .containsExactly(4, 7, 7, 8, 8, 8);
    assertThat(ElementLines.of("[]".getBytes(StandardCharsets.UTF_8))).isEmpty();
    assertThat(ElementLines.of("{\"\\u006dessages\":[1]}".getBytes(StandardCharsets.UTF_8)))
        .isEmpty();
  }

  @Property(tries = 300)
  void export_that_was_cut_is_refused_or_has_fewer_messages(
      @ForAll @IntRange(min = 0, max = 2_000) int length) {
    for (String name : List.of("export.json", "export.jsonl")) {
      byte[] whole = TestData.bytes("/recording/" + name);
      byte[] cut = Arrays.copyOf(whole, Math.min(length, whole.length - 3));
      try {
        assertThat(MessageExport.read(cut).size()).isLessThan(9);
        assertThat(name).isEqualTo("export.jsonl");
      } catch (InvalidExportException e) {
        assertThat(e.problems()).isNotEmpty();
      }
    }
  }

  private static List<String> problems(String text) {
    InvalidExportException e = catchThrowableOfType(InvalidExportException.class, () -> read(text));
    return e.problems().stream().map(Problem::toString).toList();
  }

  private static MessageExport read(String text) {
    return MessageExport.read(text.getBytes(StandardCharsets.UTF_8));
  }
}
