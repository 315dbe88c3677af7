package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code replay run --repeat}. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class RepeatedRunTest {

  @TempDir
  Path home;

  private Path session;

  @BeforeEach
  void record() throws Exception {
    session = GreetingSession.record(home, "one", "Hello");
  }

  private Console mock(Path agent, String... more) {
    return run("mock", agent, more);
  }

  /** Replays with a tool that reads, and one that writes; prints JSON. */
  private Console tools(String readFile, String... more) throws IOException {
    List<String> words = new ArrayList<>(
        List.of("--tools", GreetingSession.tools(home, readFile).toString(), "--format", "json"));
    words.addAll(List.of(more));
    Path agent = GreetingSession.agent(home, "a.txt");
    return run("tools-live", agent, words.toArray(String[]::new));
  }

  private Console run(String mode, Path agent, String... more) {
    List<String> words = new ArrayList<>(List.of(
        "run",
        session.toString(),
        "--mode",
        mode,
        "--unsafe-no-sandbox",
        "--subject",
        "sh " + agent));
    words.addAll(List.of(more));
    return Console.run(words.toArray(String[]::new));
  }

  /** An agent that reads a different file in every second run. */
  private Path flaky() throws IOException {
    Path same = Files.move(GreetingSession.agent(home, "a.txt"), home.resolve("same.sh"));
    Path other = Files.move(GreetingSession.agent(home, "b.txt"), home.resolve("other.sh"));
    return Files.writeString(
        home.resolve("flaky.sh"),
        "if rmdir %1$s/odd 2>/dev/null; then . %3$s; else mkdir %1$s/odd; . %2$s; fi\n"
            .formatted(home, same, other));
  }

  @Test
  void stable_agent_passes_and_each_replay_is_recorded() throws IOException {
    Path out = home.resolve("runs");
    Console run =
        mock(GreetingSession.agent(home, "a.txt"), "--repeat", "3", "--out", out.toString());

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.out())
        .startsWith("3 of 3 replays pass (100.0%), all identical\n\nstable · 100.0% agreement");
    for (int i = 1; i <= 3; i++) {
      assertThat(
              Console.run("verify", out.resolve(Integer.toString(i)).toString()).exit())
          .isZero();
    }
  }

  @Test
  void flaky_agent_is_reported_as_text_json_and_page() throws IOException {
    Path page = home.resolve("runs.html");
    Path export = home.resolve("runs.json");
    Console run = mock(
        flaky(),
        "--repeat",
        "4",
        "--on-unmatched",
        "position",
        "--html",
        page.toString(),
        "--export-report",
        export.toString());

    assertThat(run.exit()).as(run.err()).isEqualTo(1);
    assertThat(run.out())
        .startsWith("2 of 4 replays pass (50.0%), 2 identical, 2 diverged\n")
        .contains("  2  diverged  ", "flaky at #0: read_file", "= a = a")
        .contains("run 1", "run 4")
        .doesNotContain("replay diff");
    JsonObject json = JsonText.parse(Files.readString(export)).asObject();
    assertThat(json.at("/verdict").asString()).isEqualTo("diverged");
    assertThat(json.at("/first/name").asString()).isEqualTo("read_file");
    assertThat(json.at("/replays/0/recording").typeName()).isEqualTo("null");
    assertThat(Files.readString(page)).contains("\"stability\":\"flaky\"");
  }

  @Test
  void json_is_printed() throws IOException {
    Console run = mock(GreetingSession.agent(home, "a.txt"), "--repeat", "2", "--format", "json");

    assertThat(run.exit()).isZero();
    assertThat(JsonText.parse(run.out()).asObject().at("/schema").asString())
        .isEqualTo("replay.repeat/1");
  }

  @Test
  void replays_that_stopped_early_are_counted() throws IOException {
    Console run = mock(flaky(), "--repeat", "2");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out())
        .contains("1 replay stopped early; below, steps that were not reached count as matches");
  }

  @Test
  void budget_is_that_of_each_replay() throws IOException {
    Console enough = tools("echo '\"Helo\"'", "--repeat", "3", "--budget", "calls=2");
    Console little = tools("echo '\"Helo\"'", "--repeat", "3", "--budget", "calls=1");

    assertThat(enough.exit()).as(enough.err() + enough.out()).isZero();
    assertThat(little.exit()).as(little.err() + little.out()).isEqualTo(4);
    assertThat(verdicts(little)).containsExactly("incomplete", "incomplete", "incomplete");
    assertThat(little.out()).contains("the budget of 1 executed calls is used up");
  }

  @Test
  @Tag("slow")
  void timeout_is_that_of_each_replay() throws IOException {
    Console enough = tools(
        "sleep 4; echo '\"Helo\"'", "--repeat", "3", "--timeout", "11.9", "--step-timeout", "60");
    Console little = tools("sleep 1000", "--repeat", "2", "--timeout", "1");

    assertThat(enough.exit()).as(enough.err() + enough.out()).isZero();
    assertThat(little.exit()).as(little.err() + little.out()).isEqualTo(4);
    assertThat(verdicts(little)).containsExactly("incomplete", "incomplete");
    assertThat(little.out()).contains("the replay did not end within 1.0 s");
  }

  private static List<String> verdicts(Console run) {
    JsonObject report = JsonText.parse(run.out()).asObject();
    assertThat(report.at("/verdict").asString()).isEqualTo("incomplete");
    return report.at("/replays").asArray().stream()
        .map(replay -> replay.at("/verdict").asString())
        .toList();
  }

  @Test
  @Tag("slow")
  void incomplete_replay_next_to_a_diverged_one_makes_the_exit_code_4() throws IOException {
    String readFile = "if mkdir %s/once; then echo '\"Halo\"'; else sleep 1000; fi".formatted(home);

    Console run = tools(readFile, "--repeat", "2", "--step-timeout", "3");

    assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(4);
    assertThat(verdicts(run)).containsExactly("diverged", "incomplete");
  }

  @Test
  void recording_that_is_not_valid_is_refused() throws IOException {
    Path log = session.resolve("REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).replace("Helo", "Hell"));

    Console run = mock(GreetingSession.agent(home, "a.txt"), "--repeat", "2");

    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("; --force replays it anyway");
  }

  @Test
  void accepted_divergences_are_honored() throws IOException {
    Path report = home.resolve("run.json");
    Path other = GreetingSession.agent(home, "b.txt");
    assertThat(mock(other, "--on-unmatched", "position", "--export-report", report.toString())
            .exit())
        .isEqualTo(1);
    assertThat(Console.run(
                "accept", session.toString(), "--report", report.toString(), "--reason", "moved")
            .exit())
        .isZero();

    Console run = mock(other, "--on-unmatched", "position", "--repeat", "2");

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
    assertThat(run.err()).isEmpty();
    Console same = mock(GreetingSession.agent(home, "a.txt"), "--repeat", "2");
    assertThat(same.exit()).isZero();
    assertThat(same.err()).contains("accepted, but not found");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "--repeat 1 | --repeat: expected 2 or more replays, found 1",
        "--repeat 2 --format junit | --repeat: expected --format text or json, found junit",
        "--repeat 2 --overwrite --out x | --repeat and --overwrite exclude each other",
        "--repeat 2 --fork-at 3 | --repeat and --fork-at exclude each other",
        "--repeat 2 --mode validation | --repeat: the mode validation runs nothing",
      })
  void wrong_usage_is_refused(String options, String message) throws IOException {
    List<String> words = new ArrayList<>(List.of("run", session.toString()));
    if (!options.contains("--mode")) {
      words.addAll(List.of(
          "--mode",
          "mock",
          "--unsafe-no-sandbox",
          "--subject",
          "sh " + GreetingSession.agent(home, "a.txt")));
    }
    words.addAll(List.of(options.split(" ")));

    Console run = Console.run(words.toArray(String[]::new));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }
}
