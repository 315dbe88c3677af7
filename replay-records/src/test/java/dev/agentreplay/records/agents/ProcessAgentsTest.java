package dev.agentreplay.records.agents;

import static dev.agentreplay.records.internal.ThreeRounds.replay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agentreplay.engine.subject.ProcessCommand;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.internal.LiveRun;
import dev.agentreplay.records.internal.ReplayedSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Agents that are a program, each a script of a shell. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class ProcessAgentsTest {

  /** Reads a request, and answers with what follows. */
  private static final String READY = "read session; echo '{\"type\":\"ready\"}'; ";

  private static String answer(int round, String messages) {
    return "{\"type\":\"round\",\"round\":%d,\"messages\":[%s]}".formatted(round, messages);
  }

  private static String message(String from, String text) {
    return "{\"from\":\"%s\",\"type\":\"DELTA\",\"text\":\"%s\"}".formatted(from, text);
  }

  /** A script that answers each round with one message. */
  private static String rounds(String end) {
    StringBuilder script = new StringBuilder(READY);
    for (int round = 0; round < 3; round++) {
      script
          .append("read round; echo '")
          .append(answer(round, message("Blue", "Text " + round)))
          .append("'; ");
    }
    return script.append(end).toString();
  }

  private static ProcessCommand command(String script) {
    return ProcessCommand.of(List.of("sh", "-c", script));
  }

  private static ReplayedSession run(String script) throws InterruptedException {
    try (ProcessAgents agents = ProcessAgents.of(command(script)).withMaxLineBytes(1_000)) {
      return run(replay(agents));
    }
  }

  private static ReplayedSession run(LiveRun replay) throws InterruptedException {
    return replay.run(Duration.ofSeconds(30), Duration.ofSeconds(1));
  }

  @Test
  void program_is_started_once_and_answers_each_round() throws Exception {
    List<String> errors = new CopyOnWriteArrayList<>();
    try (ProcessAgents agents = ProcessAgents.of(
        command(rounds("read last; echo \"$$ $last\" >&2")).withErrors(errors::add))) {
      ReplayedSession session = run(replay(agents));

      assertThat(session.failure()).isNull();
      assertThat(session.record().trace().rounds())
          .flatExtracting(Round::messages)
          .filteredOn(each -> each.type() == TraceMessage.Type.DELTA)
          .extracting(each -> session.texts().text(each.contentHash()))
          .containsExactly("Text 0", "Text 1", "Text 2");
      assertThat(errors).singleElement().asString().endsWith(" {\"type\":\"end\"}");
    }
  }

  @Test
  void program_is_started_again_for_the_next_replay() throws Exception {
    try (ProcessAgents agents = ProcessAgents.of(command(rounds("")))) {
      assertThat(run(replay(agents)).failure()).isNull();
      assertThat(run(replay(agents)).failure()).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "echo hello | line 1 is not JSON: expected a JSON value, found 'h' at byte 0; it begins with hello",
        "read s; echo '{\"type\":\"round\"}' | line 1: type: expected \"ready\", found \"round\"",
        "READY read r; echo oops | line 2 is not JSON: expected a JSON value, found 'o' at byte 0; it begins with oops",
        "READY read r; echo '{}' | line 2: type: expected \"round\", found none",
        "READY echo '{\"type\":\"ready\"}'; cat >&2 | line 2: ",
        "READY read r; echo '{\"type\":\"round\",\"round\":1}' | line 2: round: expected 0, found 1",
        "READY read r; head -c 2000 /dev/zero | line 2 has more than 1,000 bytes",
        "READY read r; exit 0 | line 2: expected an answer to \"round\", found the end of its output",
        "READY read r; exit 3 | its exit code is 3",
        "exit 0 | line 1: expected an answer to \"session\", found the end of its output",
      })
  void program_that_does_not_keep_to_the_protocol_ends_the_replay(String script, String message)
      throws Exception {
    ReplayedSession session = run(script.replace("READY ", READY));

    assertThat(session.failure()).startsWith("round 0: the program \"sh\": ").contains(message);
    assertThat(session.completedRounds()).isZero();
  }

  @Test
  void second_answer_ends_the_replay_and_the_first_one_counts() throws Exception {
    String first = answer(0, message("Blue", "x"));
    ReplayedSession session =
        run(READY + "read r; echo '" + first + "'; echo '" + first + "'; cat >&2");

    assertThat(session.failure())
        .startsWith("round 1: the program \"sh\": line 3: "); // before or after the request
    assertThat(session.completedRounds()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "echo bye; exit 0 | line 5: expected no line after the last answer",
        "echo failed >&2; exit 7 | its exit code is 7:⏎failed",
      })
  void program_that_does_not_end_as_it_should_leaves_the_replay_incomplete(
      String end, String message) throws Exception {
    ReplayedSession session = run(rounds(end));

    assertThat(session.failure())
        .isEqualTo("after the last round: the program \"sh\": " + message.replace("⏎", "\n"));
    assertThat(session.completedRounds()).isEqualTo(3);
  }

  @Test
  void reason_has_the_end_of_the_standard_error() throws Exception {
    assertThat(run(READY + "read r; echo 'no key' >&2; exit 1").failure())
        .isEqualTo("round 0: the program \"sh\": its exit code is 1:\nno key");
  }

  @Test
  void message_of_a_stranger_ends_the_replay() throws Exception {
    assertThat(run(READY + "read r; echo '" + answer(0, message("Ghost", "x")) + "'; cat >&2")
            .failure())
        .isEqualTo("round 0: messages[0].from: expected an agent of the roster (Blue, Green, Red),"
            + " found \"Ghost\"");
  }

  @Test
  @Tag("slow")
  void program_that_hangs_is_killed_with_its_children() throws Exception {
    CompletableFuture<String> child = new CompletableFuture<>();
    ProcessCommand hanging =
        command(READY + "read r; sleep 1000 & echo $! >&2; wait").withErrors(child::complete);
    try (ProcessAgents agents = ProcessAgents.of(hanging)) {
      LiveRun replay = replay(agents);
      CompletableFuture<String> aborted = child.thenApply(pid -> {
        replay.abort("the child runs");
        return pid;
      });
      ReplayedSession session = run(replay);

      assertThat(session.failure()).isEqualTo("round 0: aborted: the child runs");
      assertThat(session.aborted()).isTrue();
      long pid = Long.parseLong(aborted.get(30, TimeUnit.SECONDS));
      Optional<ProcessHandle> sleep = ProcessHandle.of(pid);
      if (sleep.isPresent()) {
        sleep.get().onExit().get(30, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void program_that_hangs_is_interrupted_at_the_time_out() throws Exception {
    try (ProcessAgents agents = ProcessAgents.of(command(READY + "read r; exec sleep 1000"))) {
      ReplayedSession session =
          run(replay(agents).timeouts(RoundTimeouts.defaults().withRound(Duration.ofMillis(500))));

      assertThat(session.failure())
          .isEqualTo("round 0: the agents did not finish in 0.5 s, the time-out of a round");
    }
  }

  @Test
  void program_that_cannot_be_started_ends_the_replay() throws Exception {
    try (ProcessAgents agents = ProcessAgents.of(ProcessCommand.of(List.of("./no-such-agents")))) {
      assertThat(run(replay(agents)).failure())
          .isEqualTo("round 0: cannot start \"./no-such-agents\": No such file or directory");
    }
  }

  @Test
  void closed_agents_start_no_program() throws Exception {
    ProcessAgents agents = ProcessAgents.of(command(rounds("")));
    List<RoundContext> contexts = new ArrayList<>();
    run(replay(context -> {
          contexts.add(context);
          return RoundMessages.of(List.of());
        })
        .rounds(0, 0));
    agents.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> agents.round(contexts.get(0)))
        .withMessage("the agents were closed");
  }

  @Test
  void end_of_agents_that_did_not_run_does_nothing() throws IOException, InterruptedException {
    try (ProcessAgents agents = ProcessAgents.of(command("exit 5"))) {
      agents.end();
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProcessAgents.of(command("true")).withMaxLineBytes(0));
  }
}
