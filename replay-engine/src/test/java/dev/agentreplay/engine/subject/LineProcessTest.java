package dev.agentreplay.engine.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.subject.LineProcess.Line;
import dev.agentreplay.engine.subject.SubjectException.Reason;
import dev.agentreplay.model.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that answer requests on lines, each a script of a shell. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class LineProcessTest {

  private static final JsonObject PING = JsonObject.of("type", "ping");
  private static final JsonObject END = JsonObject.of("type", "end");
  private static final int MAX = 1_000;

  private static ProcessCommand command(String script) {
    return ProcessCommand.of(List.of("sh", "-c", script));
  }

  private static LineProcess start(String script) throws NotExecutedException {
    return LineProcess.start(command(script), MAX);
  }

  /** A program that must end, and stop writing, within a second. */
  private static LineProcess startHanging(String script) throws NotExecutedException {
    return LineProcess.start(command(script), MAX, Duration.ofSeconds(1));
  }

  private static LineProcess start(String script, Reason reason) throws NotExecutedException {
    return reason == Reason.HANGING ? startHanging(script) : start(script);
  }

  private static SubjectException refused(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(SubjectException.class);
    return (SubjectException) thrown;
  }

  @Test
  void each_request_is_answered_with_one_line() throws Exception {
    try (LineProcess program = start("n=0; while read line; do case $line in *end*) exit 0;; esac;"
        + " n=$((n + 1)); echo \"{\\\"n\\\":$n,\\\"got\\\":$line}\"; done")) {
      assertThat(program.ask(PING)).isEqualTo(new Line(1, JsonObject.of("n", 1, "got", PING)));
      assertThat(program.ask(PING)).isEqualTo(new Line(2, JsonObject.of("n", 2, "got", PING)));
      program.end(END);
    }
  }

  @Test
  void large_request_that_is_not_read_does_not_block() throws Exception {
    try (LineProcess program = start("echo '{}'; exec cat > /dev/null")) {
      Line answer = program.ask(JsonObject.of("text", "x".repeat(1_000_000)));

      assertThat(answer.json()).isEqualTo(JsonObject.EMPTY);
      program.end(END);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "echo garbage | PROTOCOL | line 1 is not JSON: | it begins with garbage",
        "echo | PROTOCOL | line 1 is not JSON: | it is empty",
        "printf '\\033[31mred\\n' | PROTOCOL | line 1 is not JSON: | it begins with ␛[31mred",
        "echo '[1]' | PROTOCOL | line 1: expected a JSON object, found a | array",
        "echo '{}{}' | PROTOCOL | line 1 is not JSON: | it begins with {}{}",
        "echo '{\"a\":1,\"a\":2}' | PROTOCOL | line 1 is not JSON: | it begins with {\"a\":1,\"a\":2}",
        "yes x | PROTOCOL | line 1 is not JSON: | it begins with x",
        "exit 0 | CLOSED | line 1: expected an answer to \"ping\", | found the end of its output",
        "echo oops >&2; exit 3 | EXIT_CODE | its exit code is 3: | oops",
        "kill -9 $$ | EXIT_CODE | its exit code is 137 | ",
        "exec >&-; exec sleep 100 | HANGING | it closed its output, | did not exit in 1 s",
      })
  void program_that_does_not_answer_with_an_object_is_refused(
      String script, Reason reason, String message, String more) throws Exception {
    try (LineProcess program = start(script, reason)) {
      SubjectException refused = refused(() -> program.ask(PING));

      assertThat(refused.reason()).isEqualTo(reason);
      assertThat(refused)
          .hasMessageStartingWith("the program \"sh\": ")
          .hasMessageContaining(message);
      if (more != null) {
        assertThat(refused).hasMessageContaining(more);
      }
    }
  }

  @Test
  void line_that_is_too_long_is_refused_before_it_ends() throws Exception {
    try (LineProcess program = start("yes x | tr -d '\\n'")) {
      SubjectException refused = refused(() -> program.ask(PING));

      assertThat(refused.reason()).isEqualTo(Reason.LIMIT);
      assertThat(refused).hasMessage("the program \"sh\": line 1 has more than 1,000 bytes");
    }
  }

  @Test
  @Tag("slow")
  void program_that_closes_its_input_and_hangs_is_refused() throws Exception {
    try (LineProcess program = startHanging("exec <&-; echo '{}'; exec sleep 100")) {
      program.ask(PING);
      // the first request may have been written before the program closed its input
      SubjectException refused = refused(() -> program.ask(PING));

      assertThat(refused.reason()).isEqualTo(Reason.HANGING);
      assertThat(refused).hasMessageContaining("it closed its input, and did not exit in 1 s");
    }
  }

  @Test
  @Tag("slow")
  void output_that_another_process_keeps_open_ends_with_the_program() throws Exception {
    CompletableFuture<String> child = new CompletableFuture<>();
    try (LineProcess program = LineProcess.start(
        command("sleep 100 & echo $! >&2; exit 4").withErrors(child::complete), MAX)) {
      assertThat(refused(() -> program.ask(PING)))
          .hasMessageStartingWith("the program \"sh\": its exit code is 4:\n");
    } finally {
      ProcessHandle.of(Long.parseLong(child.get(30, TimeUnit.SECONDS)))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "read a; echo '{}'; echo '{}'; cat >&2 | PROTOCOL | line 2: expected no line after",
        "read a; echo '{}'; read b; echo bye | PROTOCOL | line 2: expected no line after",
        "read a; echo '{}'; read b; exit 5 | EXIT_CODE | its exit code is 5",
        "read a; echo '{}'; exec sleep 100 | HANGING | it did not exit in 1 s after \"end\"",
      })
  void program_that_does_not_end_is_refused(String script, Reason reason, String message)
      throws Exception {
    try (LineProcess program = start(script, reason)) {
      program.ask(PING);
      SubjectException refused = refused(() -> program.end(END));

      assertThat(refused.reason()).isEqualTo(reason);
      assertThat(refused).hasMessageContaining(message);
    }
  }

  @Test
  void answer_before_its_request_is_refused() throws Exception {
    try (LineProcess program = start("while echo '{}'; do :; done")) {
      SubjectException refused = refused(() -> {
        for (int i = 0; i < 10_000; i++) { // the first lines may arrive after a request
          program.ask(PING);
        }
      });

      assertThat(refused.reason()).isEqualTo(Reason.PROTOCOL);
      assertThat(refused).hasMessageContaining("expected no line before the request \"ping\"");
    }
  }

  @Test
  void program_that_does_not_read_the_last_message_has_ended() throws Exception {
    try (LineProcess program = start("read a; echo '{}'; exit 0")) {
      program.ask(PING);
      program.end(END);
    }
  }

  @Test
  void wrong_answer_kills_the_program_and_its_message_has_the_line_and_the_errors()
      throws Exception {
    CompletableFuture<String> pid = new CompletableFuture<>();
    try (LineProcess program = LineProcess.start(
        command("echo $$ >&2; read a; echo '{}'; exec sleep 100").withErrors(pid::complete), MAX)) {
      Line line = program.ask(PING);
      String errors = pid.get(30, TimeUnit.SECONDS);
      ProcessHandle process = ProcessHandle.of(Long.parseLong(errors)).orElseThrow();

      SubjectException wrong = program.wrong(line, "\"type\": expected \"pong\", found none");

      assertThat(wrong.reason()).isEqualTo(Reason.PROTOCOL);
      assertThat(wrong)
          .hasMessage(
              "the program \"sh\": line 1: \"type\": expected \"pong\", found none:\n" + errors);
      process.onExit().get(30, TimeUnit.SECONDS);
      assertThat(process.isAlive()).isFalse();
    }
  }

  @Test
  void thread_that_waits_for_an_answer_can_be_interrupted() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    CompletableFuture<String> started = new CompletableFuture<>();
    try (LineProcess program = LineProcess.start(
        command("read a; echo started >&2; exec sleep 100").withErrors(started::complete), MAX)) {
      Thread thread = new Thread(() -> failure.complete(catchThrowable(() -> program.ask(PING))));
      thread.start();
      started.get(30, TimeUnit.SECONDS);

      thread.interrupt();

      assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void program_that_cannot_be_started_is_not_executed() {
    assertThatExceptionOfType(NotExecutedException.class)
        .isThrownBy(() -> LineProcess.start(ProcessCommand.of(List.of("./no-such-agent")), MAX))
        .withMessage("cannot start \"./no-such-agent\": No such file or directory");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LineProcess.start(command("true"), 0))
        .withMessage("the maximum length of a line must be positive: 0");
  }
}
