package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code replay search}. */
class SearchCommandTest {

  @TempDir
  private Path home;

  @BeforeEach
  void record() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(home.resolve("a"), "a")) {
      session.call("read", Map.of("path", "src/a.rs")).result("first\nline: Permission denied");
      session.call("shell", Map.of("command", "ls")).result("{\"load\":2,\"ok\":true}");
      session.end(Status.SUCCESS);
    }
    try (SessionRecorder session = SessionRecorder.start(home.resolve("b"), "b")) {
      session
          .call("read", Map.of("path", "src/b.rs"))
          .result("x".repeat(1 << 20) + "needle" + "x".repeat(1 << 20));
      session.end(Status.SUCCESS);
    }
  }

  @Test
  void hits_are_below_their_session_with_line_event_place_and_text() {
    Console search = Console.run("search", home.toString(), "denied");
    assertThat(search.exit()).isZero();
    assertThat(search.out())
        .isEqualTo(
            """
            %s
                 4  ToolResult  read /output  first␊line: Permission denied

            1 event in 1 session
            """
                .formatted(home.resolve("a")));
  }

  @ParameterizedTest
  @CsvSource({
    "'line: Permission', 4",
    "'permission', ''",
    "'-i permission', 4",
    "'/params/path=src/a.rs', 3",
    "'/params/*=ls', 5",
    "'/**/path=src/b.rs', 3",
    "'/params/path=src', ''",
    "'-i /params/path=SRC/A.RS', 3",
    "'/output/load=2', 6",
    "'/output/ok=true', 6",
    "'--text /params/path=src/a.rs', ''",
    "'--tool shell load', 6",
    "'--tool read load', ''",
    "'--kind toolcall src', '3 3'",
    "'/output/**=2', 6",
    "'/output/load/**=2', 6",
    "'needle', ''",
    "'--blobs needle', 4",
    "'--limit 1 src', 3",
  })
  void text_or_value_is_found_in_these_lines(String query, String lines) {
    int last = query.lastIndexOf(' ');
    String text = query.startsWith("-") ? query.substring(last + 1) : query;
    String options = query.startsWith("-") ? query.substring(0, last) + " " : "";
    String[] words = (options + "--format json").split(" ");
    String[] args = new String[words.length + 3];
    args[0] = "search";
    System.arraycopy(words, 0, args, 1, words.length);
    args[args.length - 2] = home.toString();
    args[args.length - 1] = text;

    Console search = Console.run(args);

    assertThat(search.exit()).isEqualTo(lines.isEmpty() ? ExitCode.FINDINGS : ExitCode.OK);
    assertThat(search
            .out()
            .lines()
            .filter(line -> line.contains("\"line\":"))
            .map(line -> line.replaceFirst(".*\"line\":([0-9]+).*", "$1")))
        .containsExactly(lines.isEmpty() ? new String[0] : lines.split(" "));
  }

  @Test
  void values_in_blobs_that_are_not_searched_are_counted() throws IOException {
    Console search = Console.run("search", home.toString(), "needle");
    assertThat(search.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(search.err())
        .contains("1 value in blobs not searched; --blobs searches them", "not found");
    assertThat(Console.run("search", home.toString(), "/params/path=src/b.rs").err())
        .isEmpty();

    try (Stream<Path> blobs = Files.list(home.resolve("b/blobs"))) {
      for (Path blob : blobs.toList()) {
        Files.delete(blob);
      }
    }
    Console missing = Console.run("search", "--blobs", home.toString(), "src/b.rs");
    assertThat(missing.exit()).isZero();
    assertThat(missing.err()).contains("1 value not searched: the blobs are missing");
    assertThat(Console.run("search", "--format", "json", home.toString(), "src/b.rs")
            .out()
            .lines())
        .last()
        .isEqualTo("{\"schema\":\"replay.search/1\",\"path\":\"%s\",\"values_not_searched\":1}"
            .formatted(home.resolve("b")));
  }

  @Test
  void log_of_an_unsupported_version_is_not_searched_and_the_others_are() throws IOException {
    Files.writeString(
        Files.createDirectories(home.resolve("new")).resolve("REPLAY.jsonl"),
        "{\"event\":\"ReplayHeader\",\"replay_version\":99,\"note\":\"needle\"}\n");
    Files.writeString(
        Files.createDirectories(home.resolve("old")).resolve("REPLAY.jsonl"),
        "{\"event\":\"ReplayHeader\",\"replay_version\":1,\"note\":\"needle\"}\n");

    Console search = Console.run("search", home.toString(), "needle");

    assertThat(search.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(search.out()).contains("old").doesNotContain("new/REPLAY");
    assertThat(search.out() + search.err()).contains("99");
  }

  @Test
  void limit_reports_more_hits_only_if_they_exist() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(home.resolve("c"), "c")) {
      session.end(Status.SUCCESS);
    }
    assertThat(Console.run("search", "--limit", "2", home.toString(), "src/").out())
        .endsWith("\n2 events in 2 sessions\n");
    assertThat(Console.run("search", "--limit", "1", home.toString(), "src/").out())
        .endsWith("\n1 event in 1 session; there are more, --limit N prints them;"
            + " 1 session not searched\n");
    assertThat(Console.run("search", "--limit", "1", "--format", "json", home.toString(), "src/")
            .out())
        .endsWith("{\"schema\":\"replay.search/1\",\"limit\":1,\"sessions_not_searched\":1}\n");
  }

  @Test
  void mistyped_kind_has_a_suggestion_and_an_unknown_one_has_none() {
    Console near = Console.run("search", "--kind", "ToolCal", home.toString(), "src/");
    assertThat(near.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(near.err())
        .contains("--kind: no known event has the type ToolCal; did you mean 'ToolCall'?");
    assertThat(Console.run("search", "--kind", "AcmeSpecial", home.toString(), "src/")
            .err())
        .isEqualTo("replay: not found\n");
  }

  @Test
  void call_of_an_unstated_model_has_no_name() throws IOException {
    Files.writeString(
        Files.createDirectory(home.resolve("m")).resolve("REPLAY.jsonl"),
        """
        {"event":"ReplayHeader","replay_version":1}
        {"event":"ModelCall","id":"m1","prompt":"unusual"}
        """);
    assertThat(Console.run("search", "--format", "json", home.toString(), "unusual")
            .out())
        .contains("\"kind\":\"ModelCall\",\"name\":null");
  }

  @Test
  void unreadable_session_is_reported_after_its_hits_and_the_others_are_searched()
      throws IOException {
    Path log = home.resolve("a/REPLAY.jsonl");
    Files.writeString(log, Files.readString(log) + "{\"event\":\n");
    Console search = Console.run("search", home.toString(), "src/");
    assertThat(search.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(search.out()).contains("src/a.rs", "src/b.rs", "2 events in 2 sessions");
    assertThat(search.err()).contains("a/REPLAY.jsonl: line");
  }

  @Test
  void an_empty_result_is_reported_and_control_characters_are_not_obeyed() throws IOException {
    assertThat(Console.run("search", home.toString(), "nothing").err())
        .startsWith("replay: not found\n");
    try (SessionRecorder session = SessionRecorder.start(home.resolve("c"), "c")) {
      session
          .call("t\u001b[31m", Map.of("k\u0007", "\u001b]0;title\u0007 evil"))
          .result("");
      session.end(Status.SUCCESS);
    }
    String text = Console.run("search", home.toString(), "evil").out();
    assertThat(text).contains("t␛[31m", "/params/k␇", "␛]0;title␇ evil");
    assertThat(text.codePoints()).noneMatch(c -> c != '\n' && Character.isISOControl(c));
  }

  @Test
  void wrong_usage_is_refused() {
    assertThat(Console.run("search", home.toString(), "").err())
        .contains("TEXT: the text to search for is empty");
    assertThat(Console.run("search", home.toString(), "/a~3=1").err())
        .contains("'~' must be followed by 0, 1 or 2");
    assertThat(Console.run("search", "--limit", "0", home.toString(), "a").exit())
        .isEqualTo(ExitCode.USAGE);
    assertThat(Console.run("search", home.toString()).exit()).isEqualTo(ExitCode.USAGE);
    assertThat(Console.run("search", home.resolve("none").toString(), "a").exit())
        .isEqualTo(ExitCode.UNREADABLE);
  }
}
