package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code replay run}: the effect of each option that limits, paces or compares a replay. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class RunOptionsTest {

  @TempDir
  Path home;

  private Path session;

  @BeforeEach
  void record() throws Exception {
    session = GreetingSession.record(home, "one", "Hello");
  }

  private Console run(String mode, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of(
        "run",
        session.toString(),
        "--mode",
        mode,
        "--unsafe-no-sandbox",
        "--quiet",
        "--subject",
        "sh " + GreetingSession.agent(home, "a.txt")));
    words.addAll(List.of(more));
    return Console.run(words.toArray(String[]::new));
  }

  private Console tools(String readFile, String... more) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("--tools", GreetingSession.tools(home, readFile).toString()));
    words.addAll(List.of(more));
    return run("tools-live", words.toArray(String[]::new));
  }

  private Console model(String answer, String... more) throws Exception {
    Path script =
        Files.writeString(home.resolve("model.sh"), "read call; printf '%s' '" + answer + "'\n");
    List<String> words = new ArrayList<>(List.of("--model", "sh " + script));
    words.addAll(List.of(more));
    return run("model-live", words.toArray(String[]::new));
  }

  @Test
  void replay_stops_at_the_first_result_that_differs() throws Exception {
    Console all = tools("echo Halo", "--format", "json");
    Console first = tools("echo Halo", "--format", "json", "--stop-on-divergence");

    assertThat(all.exit()).isEqualTo(1);
    assertThat(requests(all)).isEqualTo(3);
    assertThat(first.exit()).isEqualTo(1);
    assertThat(requests(first)).isOne();
  }

  private static long requests(Console run) {
    return JsonText.parse(run.out()).at("/requests/total").asLong();
  }

  @Test
  void call_that_takes_too_long_is_aborted() throws Exception {
    Console run = tools("sleep 1000", "--step-timeout", "0.2");

    assertThat(run.out()).contains("TIMEOUT", "incomplete  1 exchange timed out");
    assertThat(run.exit()).as(run.out()).isEqualTo(4);
    assertThat(tools("sleep 1000", "--step-timeout", "0.2", "--on-timeout", "abort")
            .exit())
        .isEqualTo(4);
  }

  @Test
  void call_that_takes_too_long_is_awaited_if_its_time_is_extended() throws Exception {
    Console run =
        tools("sleep 1; echo '\"Helo\"'", "--step-timeout", "0.3", "--on-timeout", "extend");

    assertThat(run.exit()).as(run.err() + run.out()).isZero();
  }

  @Test
  void replay_that_takes_too_long_as_a_whole_is_incomplete() throws Exception {
    Console run =
        tools("sleep 1000", "--step-timeout", "0.3", "--on-timeout", "extend", "--timeout", "1");

    assertThat(run.exit()).as(run.out()).isEqualTo(4);
    assertThat(run.out()).contains("the replay did not end within 1.0 s");
  }

  @Test
  void replay_stops_at_its_budget_of_calls() throws Exception {
    Console run = tools("echo '\"Helo\"'", "--budget", "calls=1");

    assertThat(run.exit()).as(run.out()).isEqualTo(4);
    assertThat(run.out()).contains("the budget of 1 executed calls is used up");
    assertThat(tools("echo '\"Helo\"'", "--budget", "calls=2").exit()).isZero();
  }

  @Test
  void replay_stops_at_its_budget_of_time() throws Exception {
    Console run = tools("sleep 1000", "--budget", "time=0.5");

    assertThat(run.exit()).as(run.out()).isEqualTo(4);
    assertThat(run.out()).contains("the budget of 0.5 s is exceeded");
    assertThat(tools("echo '\"Helo\"'", "--budget", "time=60").exit()).isZero();
  }

  @Test
  void replay_stops_at_its_budget_of_bytes() throws Exception {
    Console run = tools("echo '\"Helo\"'", "--budget", "bytes=300");

    assertThat(run.exit()).as(run.out()).isEqualTo(4);
    assertThat(run.out()).contains("the budget of 300 bytes is exceeded");
    assertThat(tools("echo '\"Helo\"'", "--budget", "bytes=1000000").exit()).isZero();
  }

  @Test
  void replay_stops_at_its_budget_of_tokens() throws Exception {
    String answer = "{\"answer\":\"Hello\",\"tokens_in\":40,\"tokens_out\":2}";
    Console run = model(answer, "--budget", "tokens=41");

    assertThat(run.exit()).as(run.out()).isEqualTo(4);
    assertThat(run.out()).contains("the budget of 41 tokens is exceeded: 42");
    assertThat(model(answer, "--budget", "tokens=42").exit()).isZero();
  }

  @Test
  void replay_stops_at_its_budget_of_money() throws Exception {
    String answer = "{\"answer\":\"Hello\",\"tokens_in\":1000000,\"tokens_out\":2000000}";
    Path prices = Files.writeString(
        home.resolve("prices.json"), "{\"my-model\":{\"input\":2.5,\"output\":10}}");
    String[] budget = {"--prices", prices.toString(), "--budget", "money=22.49"};

    Console run = model(answer, budget);
    assertThat(run.exit()).as(run.out()).isEqualTo(4);
    assertThat(run.out()).contains("the budget of 22.49 is exceeded: 22.5");
    budget[3] = "money=22.5";
    assertThat(model(answer, budget).exit()).isZero();
    Files.writeString(prices, "{\"other-model\":{\"input\":2.5,\"output\":10}}");
    assertThat(model(answer, budget).out())
        .contains("the budget has a maximum cost, and no price of the model my-model");
  }

  @Test
  void model_gets_the_seed() throws Exception {
    Path script = Files.writeString(
        home.resolve("model.sh"),
        "case $(cat) in *'\"seed\":17'*) printf Hello ;; *) printf Bye ;; esac\n");
    String model = "sh " + script;

    assertThat(run("model-live", "--model", model, "--seed", "17").exit()).isZero();
    assertThat(run("model-live", "--model", model, "--seed", "18").exit()).isEqualTo(1);
    assertThat(run("model-live", "--model", model).exit()).isEqualTo(1);
  }

  @Test
  @Tag("slow")
  void pieces_of_a_stream_are_served_at_the_requested_pace() throws Exception {
    Path agent = Files.writeString(
        home.resolve("streaming.sh"),
        """
        echo '{"id":0,"type":"hello","protocol":1}'; read answer
        echo '{"id":1,"type":"model","model":"my-model","prompt":"Fix: Helo","stream":true}'
        read first; read second; read answer
        echo '{"id":2,"type":"end","status":"Success"}'; read answer
        """);

    assertThat(streamed(600_000, agent, "at-once")).isLessThan(600_000);
    assertThat(streamed(1_500, agent, "recorded")).isGreaterThanOrEqualTo(1_500);
  }

  /** Replays a stream with a pause. Returns the duration of the replay in milliseconds. */
  private long streamed(long pauseMillis, Path agent, String pace) throws Exception {
    session = home.resolve(pace);
    Chunks chunks = Chunks.builder().add(0, 3).add(pauseMillis, 2).build();
    ModelResult answer =
        ModelResult.of("", "Hello").withTiming(Timing.of(pauseMillis).withChunks(chunks));
    try (SessionRecorder recorder = SessionRecorder.start(session, "streamed")) {
      AgentScope scope =
          AgentScope.recording(recorder, Executors.none().withModel((call, pieces) -> answer));
      scope.ask("my-model", "Fix: Helo");
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    Console run = Console.run(
        "run",
        session.toString(),
        "--mode",
        "mock",
        "--unsafe-no-sandbox",
        "--subject",
        "sh " + agent,
        "--stream-pace",
        pace,
        "--format",
        "json");
    JsonObject report = JsonText.parse(run.out()).asObject();
    assertThat(report.at("/verdict").asString()).as(run.out()).isEqualTo("identical");
    return report.at("/duration_ms").asLong();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"Helo\"      | \"Hello\"     | --normalize | greeting:Hel+o=>Helo",
        "10          | 10.4        | --tolerance | /output=0.5",
        "100         | 103         | --tolerance | /output=5%",
        "[\"a\",\"b\"] | [\"b\",\"a\"] | --unordered | /output",
        "{\"at\":1}    | {\"at\":2}    | --ignore    | /output/at",
      })
  void results_are_compared_under_the_rules(String recorded, String now, String option, String rule)
      throws Exception {
    session = home.resolve("compared");
    try (SessionRecorder recorder = SessionRecorder.start(session, "compared")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> JsonText.parse(recorded));
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    Path tools = GreetingSession.tools(home, "printf '%s' '" + now + "'");
    String[] command = {
      "run",
      session.toString(),
      "--mode",
      "node",
      "--unsafe-no-sandbox",
      "--tools",
      tools.toString(),
      "--quiet",
      option,
      rule
    };

    assertThat(Console.run(Arrays.copyOf(command, 8)).exit()).isEqualTo(1);
    Console run = Console.run(command);
    assertThat(run.exit()).as(run.err() + run.out()).isZero();
  }

  @Test
  void strict_comparison_has_ids_and_times() throws Exception {
    assertThat(run("mock").exit()).isZero();
    Console strict = run("mock", "--strict");

    assertThat(strict.exit()).isEqualTo(1);
    assertThat(strict.out()).startsWith("diverged");
  }
}
