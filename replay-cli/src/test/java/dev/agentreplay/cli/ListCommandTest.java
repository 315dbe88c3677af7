package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code replay list}. */
class ListCommandTest {

  @TempDir
  private Path home;

  @Test
  void table_has_a_row_for_each_session_with_the_newest_first() throws IOException {
    threeSessions();

    Console list = list(100, home.toString());

    assertThat(list.exit()).isZero();
    assertThat(list.out())
        .isEqualTo(
            """
            status    started           duration  calls  turns failed    tokens  session
            not-ended %s  2 m 05 s      0      0      0         0  running
            failure   %s     3.0 s      1      1      1        12  broken
              demo.Coder: Fix the login [nightly] [method:fix]
            success   %s      0 ms      0      0      0         0  first
              Say hello

            3 sessions
            """
                .formatted(
                    local("2026-01-03T10:00:00Z"),
                    local("2026-01-02T10:00:00Z"),
                    local("2026-01-01T10:00:00Z")));
  }

  @Test
  void task_and_service_are_next_to_the_session_if_the_width_has_room() throws IOException {
    threeSessions();
    for (int width : List.of(118, 160)) { // 118: the least that has room
      assertThat(list(width, home.toString()).out().lines())
          .anyMatch(line -> line.endsWith("   tokens service     session       task"))
          .anyMatch(
              line -> line.contains("       12 demo.Coder  broken        Fix the login [nightly]"))
          .anyMatch(line -> line.endsWith("        0             first         Say hello"))
          .allMatch(line -> line.length() <= width);
    }
    assertThat(list(117, home.toString()).out().lines())
        .anyMatch(line -> line.contains("       12  broken        demo.Coder: Fix the login"))
        .noneMatch(line -> line.contains("service"))
        .allMatch(line -> line.length() <= 117);
  }

  @Test
  void services_have_a_column_only_if_a_session_states_one() throws IOException {
    threeSessions();
    assertThat(list(160, "--status", "success", home.toString()).out())
        .contains("Say hello")
        .doesNotContain("service");
  }

  @Test
  void json_has_a_line_for_each_session() throws IOException {
    threeSessions();

    Console list =
        Console.run("list", "--format", "json", "--sort", "id", "--tag", "nightly", "" + home);

    assertThat(list.exit()).isZero();
    assertThat(list.out())
        .isEqualTo(("{\"schema\":\"replay.list/1\",\"path\":\"%s\",\"session_id\":\"broken\","
                + "\"task\":\"Fix the login\",\"service\":\"demo.Coder\","
                + "\"tags\":[\"service:demo.Coder\",\"nightly\",\"method:fix\"],"
                + "\"user\":\"u1\",\"environment\":\"ci\",\"commit\":\"a1b2c3\","
                + "\"status\":\"failure\",\"failed\":true,"
                + "\"started_at\":\"2026-01-02T10:00:00Z\",\"duration_ms\":3000,\"events\":7,"
                + "\"tool_calls\":1,\"failed_tool_results\":1,\"model_calls\":1,"
                + "\"failed_model_results\":0,\"turns\":1,\"tokens_in\":10,\"tokens_out\":2}\n")
            .formatted(home.resolve("b")));
  }

  @Test
  void page_has_a_row_for_each_session_with_a_link_to_its_page() throws IOException {
    threeSessions();
    Files.writeString(Files.createDirectory(home.resolve("x")).resolve("REPLAY.jsonl"), "bad\n");
    Path page = home.resolve("out/sessions.html");
    Path pages = home.resolve("out/pages");
    Files.createDirectory(page.getParent());
    String[] command = {"list", "--html", "" + page, "--pages", "" + pages, "" + home};

    Console list = Console.run(command);

    assertThat(list.exit()).isEqualTo(3);
    assertThat(list.out()).isEmpty();
    assertThat(list.err()).contains("wrote 3 pages to " + pages, "wrote " + page);
    assertThat(Files.readString(page))
        .contains("\"link\":\"./pages/b.html\"", "\"problem\":", "Fix the login");
    assertThat(Files.readString(pages.resolve("b.html"))).contains("Content-Security-Policy");
    Console again = Console.run(command);
    assertThat(again.err()).contains("exists; --overwrite replaces it");
    Files.delete(page);
    assertThat(Console.run(command).err()).contains("exists; --overwrite replaces it");
    assertThat(page).doesNotExist();
    Console overwriting =
        Console.run("list", "--overwrite", "--html", "" + page, "--failed", "" + home);
    assertThat(overwriting.exit()).isEqualTo(3);
    assertThat(Files.readString(page)).contains("Fix the login").doesNotContain("\"link\":");
  }

  @Test
  void page_of_a_session_does_not_take_the_name_of_the_page_that_links_to_it() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(home.resolve("in/Sessions"), "s")) {
      session.end(Status.SUCCESS);
    }
    Path page = home.resolve("sessions.html");

    Console list =
        Console.run("list", "--html", "" + page, "--pages", "" + home, "" + home.resolve("in"));

    assertThat(list.exit()).isZero();
    assertThat(Files.readString(page)).contains("\"link\":\"./Sessions-2.html\"");
    assertThat(home.resolve("Sessions-2.html")).exists();
  }

  @Test
  void page_that_cannot_be_written_is_reported_and_the_others_are_written() throws IOException {
    threeSessions();
    Path page = home.resolve("out/sessions.html");
    Path pages = home.resolve("out/pages");
    Path tooLong = home.resolve("b".repeat(252)); // a name has 255 bytes at most
    Files.move(home.resolve("b"), tooLong);
    Files.createDirectory(page.getParent());

    Console list =
        Console.run("list", "--overwrite", "--html", "" + page, "--pages", "" + pages, "" + home);

    assertThat(list.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(list.err()).contains("no page of " + tooLong + ": ", "wrote 2 pages to " + pages);
    assertThat(Files.readString(page))
        .contains("\"link\":\"./pages/a.html\"", "Fix the login")
        .doesNotContain("./pages/bb");
  }

  @ParameterizedTest
  @CsvSource({
    "--pages p, --pages requires --html",
    "--overwrite, --overwrite requires --html",
    "--open, --open requires --html",
    "--html p --format json, --html and --format json exclude each other"
  })
  void options_that_do_not_go_together_are_refused(String options, String message) {
    Console list = Console.run(("list " + options + " " + home).split(" "));

    assertThat(list.exit()).isEqualTo(2);
    assertThat(list.err()).contains(message);
  }

  @ParameterizedTest
  @CsvSource({
    "'--failed', broken",
    "'--status failure', broken",
    "'--status not-ended,success', 'running first'",
    "'--since 2026-01-02T00:00Z', 'running broken'",
    "'--since 1d', ''",
    "'--tag service:demo.Coder --tag nightly', broken",
    "'--tag nightly --tag weekly', ''",
    "'--user u1', broken",
    "'--environment ci', broken",
    "'--commit a1b', broken",
    "'--commit 1b', ''",
    "'--sort id', 'broken first running'",
    "'--sort calls --limit 1', broken",
    "'--sort tokens --reverse --limit 1', 'first'",
    "'--sort duration', 'running broken first'",
    "'--reverse', 'first broken running'",
    "'--limit 2', 'running broken'",
  })
  void options_select_and_sort(String options, String expected) throws IOException {
    threeSessions();
    String[] args = ("list --format json " + options + " " + home).split(" ");

    Console list = Console.run(args);

    assertThat(list.exit()).isZero();
    assertThat(list.out().lines().map(ListCommandTest::id))
        .containsExactlyElementsOf(expected.isEmpty() ? List.of() : List.of(expected.split(" ")));
  }

  @Test
  void number_of_those_left_out_is_stated() throws IOException {
    threeSessions();
    assertThat(list(100, "--limit", "1", home.toString()).out())
        .endsWith("\n1 of 3 sessions, 2 more match\n");
    assertThat(list(100, "--failed", home.toString()).out()).endsWith("\n1 of 3 sessions\n");
    assertThat(list(100, "--tag", "none", home.toString()).out()).isEqualTo("\n0 of 3 sessions\n");
  }

  @Test
  void cost_needs_prices_and_a_missing_price_is_marked() throws IOException {
    threeSessions();
    Path prices = Files.writeString(
        home.resolve("prices.json"), "{\"gpt\":{\"input\":1000,\"output\":2000}}");
    Path others = Files.writeString(home.resolve("others.json"), "{}");
    Path wrong = Files.writeString(home.resolve("wrong.json"), "{\"gpt\":1}");

    assertThat(list(120, "--failed", "--prices", "" + prices, "" + home).out())
        .contains("    0.0140  broken");
    assertThat(
            Console.run("list", "--failed", "--format", "json", "--prices", "" + prices, "" + home)
                .out())
        .contains("\"cost\":{\"amount\":0.014,\"is_complete\":true}");
    assertThat(list(120, "--failed", "--prices", "" + others, "" + home).out())
        .doesNotContain("cost");
    Console refused = Console.run("list", "--prices", "" + wrong, "" + home);
    assertThat(refused.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("--prices: ", "gpt: expected an object, found a number");
  }

  @Test
  void unreadable_sessions_are_listed_whatever_options_select() throws IOException {
    threeSessions();
    write("torn", "{\"event\":\"ReplayHeader\"");
    write("empty", "");
    Files.writeString(Files.createDirectory(home.resolve("text")).resolve("REPLAY.jsonl"), "{}\n");

    Console list = list(100, "--failed", home.toString());

    assertThat(list.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(list.out())
        .contains("unreadable  " + home.resolve("torn/REPLAY.jsonl") + ": line 1")
        .contains("unreadable  " + home.resolve("empty/REPLAY.jsonl")
            + ": expected a log, found no events")
        .contains("unreadable  " + home.resolve("text/REPLAY.jsonl")
            + ": expected a log, found no event of a known kind")
        .endsWith("\n1 of 3 sessions, unreadable: 3\n");
    assertThat(
            Console.run("list", "--format", "json", "--failed", home.toString()).out())
        .contains(
            "{\"schema\":\"replay.list/1\",\"path\":\"%s\",\"status\":\"unreadable\",\"error\":"
                .formatted(home.resolve("torn")));
  }

  @Test
  void directory_without_sessions_is_an_error_with_the_reason() {
    Console list = list(100, home.toString());
    assertThat(list.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(list.out())
        .isEqualTo("unreadable  " + home
            + ": directory holds no REPLAY.jsonl, nor does any below it; expected a log, a session"
            + " directory, or a directory of sessions\n");
    assertThat(Console.run("list", home.resolve("missing").toString()).exit())
        .isEqualTo(ExitCode.UNREADABLE);
  }

  @Test
  void sessions_of_the_home_are_listed_by_default_and_ids_are_found() throws IOException {
    threeSessions();
    assertThat(Console.run("list", "--sessions", home.toString()).out()).contains("\n3 sessions\n");
    assertThat(Console.run("list", "--sessions", home.toString(), "broken").out())
        .contains("broken", "\n1 session\n");
  }

  @Test
  void two_sessions_with_one_id_are_distinguished_by_their_paths() throws IOException {
    write("a", session("same", "2026-01-01T10:00:00Z", ""));
    write("b", session("same", "2026-01-01T10:00:00Z", ""));
    assertThat(list(200, home.toString()).out())
        .contains(home.resolve("a").toString().substring(0, 30))
        .doesNotContain(" same");
  }

  @Test
  void control_characters_in_ids_tasks_and_tags_are_not_obeyed() throws IOException {
    write(
        "a",
        session(
            "id\\u001b[31m",
            "2026-01-01T10:00:00Z",
            ",\"task\":\"line\\nbreak\\u001b]0;title\\u0007\",\"tags\":[\"t\\u202eag\"]"));
    String text = list(160, home.toString()).out();
    assertThat(text).contains("id␛[31m", "line␊break␛]0;title␇", "[t�ag]");
    assertThat(text.codePoints()).noneMatch(c -> c != '\n' && Character.isISOControl(c));
    assertThat(Console.run("list", "--format", "json", home.toString()).out().codePoints())
        .noneMatch(c -> c != '\n' && (Character.isISOControl(c) || c == 0x202e));
  }

  @ParameterizedTest
  @CsvSource({
    "'--since yesterday', '--since: expected an age such as 90m, 12h, 7d or 2w, a date'",
    "'--since 2026-02-30', '--since: expected an age'",
    "'--limit 0', '--limit: expected 1 or more, found 0'",
    "'--sort age', '--sort: expected started, duration'",
    "'--sort cost', '--sort cost requires --prices'",
    "'--format xml', '--format: expected text or json'",
  })
  void wrong_usage_is_refused_with_what_is_expected(String options, String message) {
    Console list = Console.run(("list " + options + " " + home).split(" "));
    assertThat(list.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(list.err()).contains(message);
  }

  private void threeSessions() throws IOException {
    write(
        "a",
        session("first", "2026-01-01T10:00:00Z", ",\"task\":\"Say hello\"")
            + "{\"event\":\"SessionEnd\",\"status\":\"Success\",\"t\":\"2026-01-01T10:00:00Z\"}\n");
    write(
        "b",
        session(
                "broken",
                "2026-01-02T10:00:00Z",
                ",\"task\":\"Fix the login\",\"tags\":[\"service:demo.Coder\",\"nightly\","
                    + "\"method:fix\"],\"user\":\"u1\",\"environment\":\"ci\","
                    + "\"repo\":{\"commit\":\"a1b2c3\"}")
            + """
            {"event":"ModelCall","id":"m","model":"gpt","t":"2026-01-02T10:00:01Z"}
            {"event":"ModelResult","id":"m","tokens_in":10,"tokens_out":2,"t":"2026-01-02T10:00:02Z"}
            {"event":"ToolCall","id":"c","tool":"read","params":{},"t":"2026-01-02T10:00:02Z"}
            {"event":"ToolResult","id":"c","exit_code":1,"t":"2026-01-02T10:00:03Z"}
            {"event":"SessionEnd","status":"Failed","t":"2026-01-02T10:00:03Z"}
            """);
    write(
        "c",
        session("running", "2026-01-03T10:00:00Z", "")
            + "{\"event\":\"StepComplete\",\"step_id\":\"s\",\"t\":\"2026-01-03T10:02:05Z\"}\n");
  }

  private static String session(String id, String time, String more) {
    return "{\"event\":\"ReplayHeader\",\"replay_version\":1,\"t\":\"%s\"}\n".formatted(time)
        + "{\"event\":\"SessionStart\",\"session_id\":\"%s\",\"t\":\"%s\"%s}\n"
            .formatted(id, time, more);
  }

  private void write(String name, String log) throws IOException {
    Files.writeString(Files.createDirectories(home.resolve(name)).resolve("REPLAY.jsonl"), log);
  }

  private static String id(String json) {
    return json.replaceFirst(".*\"session_id\":\"([^\"]*)\".*", "$1");
  }

  private static String local(String time) {
    return DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm")
        .format(Instant.parse(time).atZone(ZoneId.systemDefault()));
  }

  private static Console list(int columns, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] all = new String[args.length + 1];
    all[0] = "list";
    System.arraycopy(args, 0, all, 1, args.length);
    int exit = Main.run(
        all,
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false,
            false,
            columns));
    return new Console(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
