package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.accept.AcceptedDivergence;
import dev.agentreplay.engine.accept.AcceptedDivergences;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code replay accept}, and the commands that honor what it has written. */
class AcceptCommandTest {

  private static final String REASON = "--reason=the search returns more";

  @TempDir
  Path home;

  private String golden;
  private String today;

  @BeforeEach
  void recordTwo() throws IOException {
    golden = record("golden", 3, "a");
    today = record("today", 4, "b");
  }

  private String record(String id, int hits, String text) throws IOException {
    Path directory = home.resolve(id);
    try (SessionRecorder recorder = SessionRecorder.start(directory, id)) {
      recorder.call("search", JsonObject.of("q", "x")).result(JsonObject.of("hits", hits));
      recorder.call("read", JsonObject.of("path", "a")).result(text);
      recorder.end(Status.SUCCESS, 0.9);
    }
    return directory.toString();
  }

  private List<AcceptedDivergence> accepted() throws IOException {
    AcceptedDivergences all = AcceptedDivergences.read(Session.open(Path.of(golden)));
    return all == null ? List.of() : all.all();
  }

  @Test
  void accepted_differences_do_not_fail_diff_run_and_verify() throws IOException {
    assertThat(Console.run("diff", golden, today).exit()).isEqualTo(1);

    Console accept = Console.run("accept", golden, today, REASON, "--by", "ada");

    assertThat(accept.exit()).isZero();
    assertThat(accept.err()).isEmpty();
    assertThat(accept.out())
        .startsWith("accepted 2 divergences in " + Path.of(golden, "ACCEPTED.json"))
        .containsPattern("[0-9a-f]{12}  OUTPUT  call search, line 4  /output/hits\n")
        .containsPattern("[0-9a-f]{12}  OUTPUT  call read, line 6  /output\n");
    assertThat(accepted()).extracting(AcceptedDivergence::by).containsExactly("ada", "ada");

    Console diff = Console.run("diff", "--accepted", golden, today);
    assertThat(diff.exit()).isZero();
    assertThat(diff.err()).isEmpty();
    assertThat(diff.out())
        .startsWith("identical, but 2 accepted  2 calls")
        .contains("2 accepted, not listed; --full lists them");
    assertThat(Console.run("diff", golden, today).exit())
        .as("without the option")
        .isEqualTo(1);
    JsonObject json = JsonText.parse(
            Console.run("diff", "--accepted", "--format", "json", golden, today).out())
        .asObject();
    assertThat(json.at("/accepted/divergences").asLong()).isEqualTo(2);
    assertThat(json.at("/divergences/0/accepted_severity").asString()).isEqualTo("moderate");

    Console run = Console.run("run", golden, "--against", today);
    assertThat(run.exit()).isZero();
    assertThat(run.out()).startsWith("identical, but 2 accepted").contains("accepted    2 OUTPUT");
    assertThat(Console.run("run", golden, "--against", today, "--no-accepted").exit())
        .isEqualTo(1);

    assertThat(Console.run("verify", golden).exit()).isZero();
    assertThat(Console.run("show", golden).exit()).isZero();
    assertThat(Console.run("stats", golden).exit()).isZero();
  }

  @Test
  void other_new_value_at_an_accepted_place_diverges() throws IOException {
    Console.run("accept", golden, today, REASON);

    Console diff = Console.run("diff", "--accepted", golden, record("other", 5, "b"));

    assertThat(diff.exit()).isEqualTo(1);
    assertThat(diff.out()).contains("1. OUTPUT  search").contains("1 accepted, not listed");
    assertThat(diff.err()).contains("accepted, but not found: OUTPUT of call search, line 4");
  }

  @Test
  void only_selected_divergences_are_accepted() throws IOException {
    assertThat(Console.run("accept", golden, today, REASON, "--only", "2").exit())
        .isZero();
    assertThat(accepted()).extracting(entry -> entry.step().name()).containsExactly("read");

    JsonObject json = JsonText.parse(
            Console.run("diff", "--format", "json", golden, today).out())
        .asObject();
    String fingerprint = json.at("/divergences/0/fingerprint").asString();
    assertThat(Console.run("accept", golden, today, REASON, "--only", fingerprint.substring(7, 17))
            .exit())
        .isZero();
    assertThat(accepted())
        .extracting(entry -> entry.step().name())
        .containsExactly("read", "search");
  }

  @Test
  void reports_of_diff_and_run_are_accepted() throws IOException {
    Path diff = home.resolve("diff.json");
    Path run = home.resolve("run.json");
    Console.run("diff", "--format", "json", "-o", diff.toString(), golden, today);
    Console.run("run", golden, "--against", today, "--export-report", run.toString());

    assertThat(
            Console.run("accept", golden, "--report", diff.toString(), REASON).exit())
        .isZero();
    List<AcceptedDivergence> ofDiff = accepted();
    Files.delete(Path.of(golden, "ACCEPTED.json"));
    assertThat(Console.run(
                "accept", golden, "--report", run.toString(), "--report", diff.toString(), REASON)
            .exit())
        .isZero();

    assertThat(accepted())
        .extracting(AcceptedDivergence::fingerprint, AcceptedDivergence::step)
        .containsExactlyElementsOf(ofDiff.stream()
            .map(each -> org.assertj.core.groups.Tuple.tuple(each.fingerprint(), each.step()))
            .toList());
    assertThat(Console.run("diff", "--accepted", golden, today).exit()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "--reason= | --reason: expected the reason",
        "--reason=x --by= | --by: expected a name",
        "--reason=x --expires=2020-01-01 | is in the past",
        "--reason=x --expires=tomorrow | --expires: expected a date, such as 2027-01-31",
        "--reason=x --only=3 | --only 3: no such divergence among the 2 that can be accepted",
        "--reason=x --only=abc | expected the number of a divergence, or 8 to 64 digits",
        "--reason=x --only=00000000aa | no such divergence",
        "--reason=x --report=y.json | expected either OTHER or --report",
        "--by=ada | --reason",
      })
  void wrong_usage_is_refused_and_nothing_is_written(String options, String message)
      throws IOException {
    String[] given = options.split(" ");
    String[] words = new String[given.length + 3];
    System.arraycopy(new String[] {"accept", golden, today}, 0, words, 0, 3);
    System.arraycopy(given, 0, words, 3, given.length);

    Console console = Console.run(words);

    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.err()).contains(message);
    assertThat(accepted()).isEmpty();
  }

  @Test
  void identical_sessions_have_nothing_to_accept() throws IOException {
    Console console = Console.run("accept", golden, record("same", 3, "a"), REASON);

    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.err()).contains("nothing to accept");
    assertThat(Console.run("accept", golden, today, REASON).exit()).isZero();
    assertThat(Console.run("accept", golden, today, REASON).err()).contains("nothing to accept");
  }

  @Test
  void report_of_a_different_recording_is_refused() throws IOException {
    Path report = home.resolve("diff.json");
    Console.run("diff", "--format", "json", "-o", report.toString(), today, golden);

    Console console = Console.run("accept", golden, "--report", report.toString(), REASON);

    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.err()).contains("expected session golden, found today");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | /schema: must be a string, found nothing",
        "{\"schema\":\"replay.stats/1\"} | /schema: must be \"replay.diff/1\" or \"replay.run/1\"",
        "{\"schema\":\"replay.run/1\",\"refused\":{}} | the replay was refused",
        "{\"schema\":\"replay.diff/1\",\"left\":{},\"divergences\":[{\"number\":0}]} | /divergences/0/fingerprint: must be a hash or null",
        "[] | expected a JSON object",
      })
  void file_that_is_not_a_report_is_refused(String text, String message) throws IOException {
    Path file = Files.writeString(home.resolve("report.json"), text);

    Console console = Console.run("accept", golden, "--report", file.toString(), REASON);

    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.err()).contains("report.json", message);
  }

  @Test
  void file_of_a_different_recording_is_reported_and_does_not_apply() throws IOException {
    Console.run("accept", golden, today, REASON);
    String third = record("third", 3, "a");
    Files.copy(Path.of(golden, "ACCEPTED.json"), Path.of(third, "ACCEPTED.json"));

    Console diff = Console.run("diff", "--accepted", third, today);
    assertThat(diff.exit()).isEqualTo(1);
    assertThat(diff.err()).contains("belongs to a different recording, and does not apply");
    Console accept = Console.run("accept", third, today, REASON);
    assertThat(accept.exit()).isEqualTo(3);
    assertThat(accept.err())
        .contains("belongs to a different recording")
        .contains("; delete it, and accept the divergences of this recording again");
    Files.delete(Path.of(third, "ACCEPTED.json"));
    assertThat(Console.run("accept", third, today, REASON).exit())
        .as("the advice")
        .isZero();
  }

  @ParameterizedTest(name = "{index}")
  @CsvSource({"'no event\n', 3", "'{\"event\":\"SessionE', 3", "'', 0"})
  void report_of_a_recording_with_a_malformed_line_is_refused(String more, int exit)
      throws IOException {
    Path report = home.resolve("diff.json");
    Console.run("diff", "--format", "json", "-o", report.toString(), golden, today);
    Path log = Path.of(golden, "REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).stripTrailing() + (exit == 0 ? "" : "\n") + more);

    Console accept = Console.run("accept", golden, "--report", report.toString(), REASON);

    assertThat(accept.exit()).as(accept.err()).isEqualTo(exit);
    assertThat(accepted()).hasSize(exit == 0 ? 2 : 0);
  }

  @Test
  void malformed_file_is_never_ignored() throws IOException {
    Files.writeString(Path.of(golden, "ACCEPTED.json"), "{\"schema\":\"replay.accepted/9\"}");

    for (Console console : List.of(
        Console.run("diff", "--accepted", golden, today),
        Console.run("run", golden, "--against", today),
        Console.run("accept", golden, today, REASON))) {
      assertThat(console.exit()).isEqualTo(3);
      assertThat(console.err()).contains("ACCEPTED.json: /schema: must be \"replay.accepted/1\"");
    }
    assertThat(Console.run("run", golden, "--no-accepted").exit()).isZero();
    assertThat(Console.run("verify", golden).exit()).isZero();
  }

  @Test
  void expired_entries_do_not_accept() throws IOException {
    Console.run("accept", golden, today, REASON, "--expires", "9999-12-31");
    assertThat(Console.run("diff", "--accepted", golden, today).exit()).isZero();
    Path file = Path.of(golden, "ACCEPTED.json");
    Files.writeString(file, Files.readString(file).replace("9999-12-31", "2020-12-31"));

    Console diff = Console.run("diff", "--accepted", golden, today);

    assertThat(diff.exit()).isEqualTo(1);
    assertThat(diff.err()).contains("accepted until 2020-12-31, and not any more: OUTPUT of call");
    assertThat(Console.run("accept", golden, today, REASON).exit()).isZero();
    assertThat(Console.run("diff", "--accepted", golden, today).exit()).isZero();
  }

  @Test
  void several_runs_honor_what_is_accepted() throws IOException {
    Console.run("accept", golden, today, REASON);
    String same = record("same", 3, "a");

    Console runs = Console.run("diff", "--accepted", golden, today, same);

    assertThat(runs.exit()).isZero();
    assertThat(runs.out()).startsWith("stable");
    assertThat(runs.err()).isEmpty();
  }

  @Test
  void packs_carry_the_file_and_conversions_leave_it_out() throws IOException {
    Console.run("accept", golden, today, REASON);
    Path pack = home.resolve("golden.replay");
    assertThat(Console.run("pack", golden, pack.toString()).exit()).isZero();
    Path unpacked = home.resolve("unpacked");
    assertThat(Console.run("unpack", pack.toString(), unpacked.toString()).exit())
        .isZero();

    assertThat(unpacked.resolve("ACCEPTED.json"))
        .hasSameBinaryContentAs(Path.of(golden, "ACCEPTED.json"));
    assertThat(Console.run("diff", "--accepted", pack.toString(), today).exit()).isZero();
    assertThat(Console.run("accept", pack.toString(), today, REASON).exit()).isEqualTo(2);

    Path converted = home.resolve("converted");
    assertThat(
            Console.run("convert", golden, converted.toString(), "--to", "type").exit())
        .isZero();
    assertThat(converted.resolve("ACCEPTED.json")).doesNotExist();
    Path published = home.resolve("published");
    assertThat(Console.run("redact", golden, published.toString()).exit()).isZero();
    assertThat(published.resolve("ACCEPTED.json")).doesNotExist();
  }

  @Test
  void log_with_a_name_of_its_own_has_its_own_file() throws IOException {
    Path log = home.resolve("monday.jsonl");
    Files.copy(Path.of(golden, "REPLAY.jsonl"), log);

    assertThat(Console.run("accept", log.toString(), today, REASON).exit()).isZero();

    assertThat(home.resolve("monday.jsonl.accepted.json")).exists();
    assertThat(Console.run("diff", "--accepted", log.toString(), today).exit()).isZero();
    assertThat(Console.run("list", home.toString()).exit()).isZero();
  }

  @Test
  void json_output_is_the_file() throws IOException {
    Console console = Console.run("accept", golden, today, REASON, "--format", "json");

    assertThat(console.out()).isEqualTo(Files.readString(Path.of(golden, "ACCEPTED.json")));
  }
}
