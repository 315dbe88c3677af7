package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay stats}: models, costs, and the totals over directories. */
class StatsCommandTest {

  @TempDir
  private Path home;

  private Path prices;

  @BeforeEach
  void record() throws Exception {
    prices = home.resolve("prices.json");
    Files.writeString(prices, "{\"gpt\":{\"input\":1,\"output\":10}}");
    for (String name : new String[] {"one", "two"}) {
      try (SessionRecorder session =
          SessionRecorder.start(home.resolve("sessions/" + name), name)) {
        session
            .modelCall("gpt", "Fix it.")
            .answer("Done.", Completion.NONE, TokenCounts.of(1_000_000, 100_000));
        session.modelCall("free", "Fix it.").answer("Done.", Completion.NONE, TokenCounts.of(5, 6));
        session.run("read", Map.of(), () -> "text");
        session.call("shell", Map.of()).failed(Failure.of("Exit", "1"));
        if (name.equals("one")) {
          session.end(Status.SUCCESS);
        }
      }
    }
  }

  @Test
  void models_have_turns_tokens_and_a_cost_that_says_what_it_lacks() {
    Console run = Console.run("stats", "--prices", prices.toString(), session("one"));

    assertThat(run.exit()).isZero();
    assertThat(run.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .contains(
            "model calls 2",
            "turns 2",
            "tokens in 1,000,005",
            "tokens out 100,006",
            "cost at least 2.0000",
            "no price of: free",
            "failed tool results 1")
        .noneMatch(line -> line.contains("utility"));
  }

  @Test
  void a_directory_has_the_totals_over_all_of_its_sessions() throws IOException {
    Files.createDirectories(home.resolve("sessions/broken"));
    Files.writeString(home.resolve("sessions/broken/REPLAY.jsonl"), "{\"event\":\n");

    Console run = Console.run("stats", "--format", "json", session(""));

    assertThat(run.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(run.err()).contains("not readable: ").contains("broken");
    JsonObject json = JsonText.parse(run.out().strip()).asObject();
    assertThat(json.at("/schema").asString()).isEqualTo("replay.stats/1");
    assertThat(json.at("/sessions").toString()).isEqualTo("2");
    assertThat(json.at("/unreadable").toString()).isEqualTo("1");
    assertThat(json.at("/by_status").toString()).isEqualTo("{\"not-ended\":1,\"success\":1}");
    assertThat(json.at("/model_calls").toString()).isEqualTo("4");
    assertThat(json.at("/tokens_in").toString()).isEqualTo("2000010");
    assertThat(json.at("/by_tool/shell/failed").toString()).isEqualTo("2");
    assertThat(json.has("cost")).isFalse();
  }

  @Test
  void several_sessions_are_summed_up_as_text() {
    Console run = Console.run("stats", session("one"), session("two"));

    assertThat(run.exit()).isZero();
    assertThat(run.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .startsWith("sessions 2", "not-ended 1", "success 1")
        .contains("tool calls 4");
  }

  @Test
  void incomplete_prices_are_refused_with_their_place() throws IOException {
    Files.writeString(prices, "{\"gpt\":{\"input\":1}}");

    Console run = Console.run("stats", "--prices", prices.toString(), session("one"));

    assertThat(run.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("gpt: expected a number as \"output\"");
  }

  @Test
  void a_log_of_an_unsupported_version_is_in_no_total_unless_forced() throws IOException {
    Files.createDirectories(home.resolve("sessions/new"));
    Files.writeString(
        home.resolve("sessions/new/REPLAY.jsonl"),
        "{\"event\":\"ReplayHeader\",\"replay_version\":99}\n");

    Console run = Console.run("stats", session(""));
    assertThat(run.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(run.err()).contains("not readable: ").contains("99");

    Console forced = Console.run("stats", "--force", "--format", "json", session(""));
    assertThat(forced.exit()).isZero();
    assertThat(forced.out()).contains("\"sessions\":3");
  }

  private String session(String name) {
    return home.resolve("sessions").resolve(name).toString();
  }
}
