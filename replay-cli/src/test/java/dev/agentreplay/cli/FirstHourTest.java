package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The commands that a new user tries first, and their messages. */
class FirstHourTest {

  @TempDir
  private Path home;

  private Path record(String directory, String id) throws IOException {
    Path path = home.resolve(directory);
    try (SessionRecorder session = SessionRecorder.start(path, id)) {
      session.call("read", JsonObject.of("path", "x".repeat(300))).result("text");
      session.end(Status.SUCCESS, 1.0);
    }
    return path;
  }

  @Test
  void help_is_a_command() {
    Console run = Console.run("help");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("Usage: replay").contains("verify");
    assertThat(Console.run("help", "verify").out()).contains("Usage: replay verify");
  }

  @Test
  void unknown_command_option_or_argument_is_named_with_the_nearest() {
    Console run = Console.run("verfy");
    assertThat(run.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .isEqualTo(
            "replay: unknown command 'verfy'; did you mean 'verify'?\n" + "Try 'replay --help'.\n");
    assertThat(Console.run("--verfy").err()).startsWith("replay: unknown option '--verfy'\n");
    assertThat(Console.run("xyzzy").err()).startsWith("replay: unknown command 'xyzzy'\n");
    assertThat(Console.run("diff", "--hmtl", "x", "a", "b").err())
        .contains("unknown option '--hmtl'; did you mean '--html'?");
    assertThat(Console.run("show", "a", "b").err()).contains("unexpected argument 'b'");
    assertThat(Console.run("help", "verify", "extra").exit()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void number_that_is_not_one_is_reported_with_its_option() {
    for (String number : new String[] {"x", "99999999999", "1.5"}) {
      Console run = Console.run("verify", "--jobs", number, "a");
      assertThat(run.exit()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err())
          .startsWith("replay: --jobs: expected a whole number from 1 to 256, found \"" + number);
    }
  }

  @Test
  void session_is_found_by_its_id_or_the_name_of_its_directory() throws IOException {
    record("a/uuid-1", "fix-auth");
    record("b/uuid-2", "fix-login");
    for (String name : new String[] {"fix-auth", "uuid-1"}) {
      Console run = Console.run("show", "--sessions", home.toString(), name);
      assertThat(run.exit()).isZero();
      assertThat(run.out()).contains("session fix-auth");
    }
    assertThat(Console.run("verify", "--sessions", home.toString(), "fix-login").exit())
        .isZero();
  }

  @Test
  void id_that_two_sessions_have_names_both() throws IOException {
    Path one = record("a", "same");
    Path two = record("b", "same");
    Console run = Console.run("show", "--sessions", home.toString(), "same");
    assertThat(run.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(run.err())
        .contains("2 sessions have this id or name")
        .contains(one.toString(), two.toString());
  }

  @Test
  void id_that_is_also_the_name_of_a_folder_of_others_is_found() throws IOException {
    record("runs/a", "monday");
    record("monday/b", "tuesday");
    Console run = Console.run("verify", "--sessions", home.toString(), "monday");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains(home.resolve("runs/a").toString());
    Console below = Console.run("verify", "--sessions", home.toString(), "monday/b");
    assertThat(below.exit()).as(below.err()).isZero();
  }

  @Test
  void similar_id_is_reported_once() throws IOException {
    record("one", "same");
    record("two", "same");
    Console run = Console.run("show", "--sessions", home.toString(), "sam");
    assertThat(run.err()).endsWith("similar: same\n");
  }

  @Test
  void id_that_is_not_found_says_where_it_was_looked_for_and_what_is_like_it() throws IOException {
    record("a", "task-18_trial-0");
    Console run = Console.run("show", "--sessions", home.toString(), "task-18_trial-1");
    assertThat(run.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(run.err()).contains("no session below " + home).contains("similar: task-18_trial-0");
  }

  @Test
  void directory_in_which_an_id_is_looked_up_must_exist() {
    Path nope = home.resolve("nope");
    for (String command : new String[] {"show", "verify", "stats"}) {
      Console run = Console.run(command, "--sessions", nope.toString(), "fix-auth");
      assertThat(run.exit()).isEqualTo(ExitCode.UNREADABLE);
      assertThat(run.err())
          .isEqualTo("replay: fix-auth: no such file or directory; --sessions (default:"
              + " $REPLAY_HOME) is not a directory: " + nope + "\n");
    }
  }

  @Test
  @DisabledIfEnvironmentVariable(named = "REPLAY_HOME", matches = ".+")
  void name_of_nothing_hints_at_the_directory_of_sessions() {
    for (String command : new String[] {"show", "verify", "stats"}) {
      Console run = Console.run(command, "fix-auth");
      assertThat(run.exit()).isEqualTo(ExitCode.UNREADABLE);
      assertThat(run.err())
          .isEqualTo("replay: fix-auth: no such file or directory; --sessions DIR finds a session"
              + " by its id or name\n");
    }
  }

  @Test
  void receipt_that_is_named_for_its_session_hints_at_the_directory() throws IOException {
    Path session = record("a", "fix-auth");
    Path receipt = Files.writeString(session.resolve("RECEIPT.json"), "{}");
    for (String command : new String[] {"show", "verify", "stats"}) {
      Console run = Console.run(command, receipt.toString());
      assertThat(run.exit()).isEqualTo(ExitCode.UNREADABLE);
      assertThat(run.err())
          .isEqualTo("replay: %s: not a log; name the session directory: %s\n"
              .formatted(receipt, session));
    }
  }

  @Test
  void directory_of_sessions_names_them() throws IOException {
    record("runs/one", "one");
    record("runs/two", "two");
    Console run = Console.run("show", home.resolve("runs").toString());
    assertThat(run.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(run.err())
        .contains("name one of the 2 sessions below it")
        .contains(home.resolve("runs/one").toString());
  }

  @Test
  void written_page_is_reported_with_its_size() throws IOException {
    Path page = home.resolve("x.html");
    Console run = Console.run("show", record("a", "s").toString(), "--html", page.toString());
    assertThat(run.exit()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).matches("wrote \\Q" + page + "\\E, [0-9]+ KB\\R");
  }

  @Test
  void directory_is_not_taken_for_a_file_to_write() throws IOException {
    String one = record("a", "s").toString();
    Path directory = Files.createDirectory(home.resolve("od"));
    for (String option : new String[] {"-o", "--html"}) {
      Console run = Console.run("diff", one, one, option, directory.toString(), "--overwrite");
      assertThat(run.exit()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).contains(directory + " exists: it is a directory");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void empty_log_is_not_a_session() throws IOException {
    Path log = Files.createFile(home.resolve("empty.jsonl"));
    for (String command : new String[] {"show", "stats"}) {
      Console run = Console.run(command, log.toString());
      assertThat(run.exit()).isEqualTo(ExitCode.UNREADABLE);
      assertThat(run.err()).contains("expected a log, found no events");
    }
  }

  @Test
  void lines_other_than_events_are_not_counted_as_a_session() throws IOException {
    Path log = Files.writeString(home.resolve("other.jsonl"), "{\"a\":1}\n{\"a\":2}\n");
    Console run = Console.run("stats", log.toString());
    assertThat(run.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(run.err()).contains("no event of a known kind in its lines: 2");
    assertThat(Console.run("stats", "--force", log.toString()).exit()).isZero();
  }

  @Test
  void lines_are_as_wide_as_asked_for() throws IOException {
    String session = record("a", "s").toString();
    assertThat(longest(Console.run("show", session))).isEqualTo(100);
    assertThat(longest(Console.run("show", session, "--width", "200"))).isEqualTo(200);
    assertThat(Console.run("show", session, "--width", "7").err())
        .contains("--width: expected 60 to 10000, found 7");
  }

  private static int longest(Console run) {
    return run.out().lines().mapToInt(String::length).max().orElse(0);
  }
}
