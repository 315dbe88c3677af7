package dev.agentreplay.engine.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.engine.diff.rule.SemanticComparator.Judgment;
import dev.agentreplay.engine.diff.rule.SemanticComparator.Texts;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.execution.NotExecutedException.Reason;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Judges that are programs, each a script of a shell. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class ProcessJudgeTest {

  private static final Texts TEXTS = new Texts("DELTA", "/rounds/0", "It's red.", "It is red.\n");

  private static ProcessJudge judge(String script) {
    return ProcessJudge.of(ProcessCommand.of(List.of("sh", "-c", script)));
  }

  @Test
  void program_gets_the_texts_as_one_line() throws Exception {
    Judgment judgment = judge("read line; text=$(printf %s \"$line\" | tr -d '\"\\\\');"
            + " echo \"{\\\"equivalent\\\":true,\\\"reason\\\":\\\"$text\\\"}\"")
        .compare(TEXTS);

    assertThat(judgment)
        .isEqualTo(new Judgment(
            true, null, "{step:DELTA,pointer:/rounds/0,before:It's red.,after:It is red.n}"));
  }

  @Test
  void judgment_has_the_similarity_and_the_reason() throws Exception {
    assertThat(judge("echo '{\"equivalent\":false,\"similarity\":0.25,\"reason\":\"not\"}'")
            .compare(TEXTS))
        .isEqualTo(new Judgment(false, 0.25, "not"));
    assertThat(judge("echo '{\"equivalent\":true,\"similarity\":1}'").compare(TEXTS))
        .isEqualTo(new Judgment(true, 1.0, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "yes | is not JSON",
        "`` | is not JSON: ",
        "{} {} | is not JSON",
        "true | expected an object, found true",
        "{} | \"equivalent\": expected true or false, found none",
        "{\"equivalent\":1} | \"equivalent\": expected true or false, found 1",
        "{\"equivalent\":true,\"similarity\":1.5} | \"similarity\": expected a number from 0 to 1, found 1.5",
        "{\"equivalent\":true,\"similarity\":\"1\"} | expected a number from 0 to 1, found \"1\"",
        "{\"equivalent\":true,\"similarity\":null} | expected a number from 0 to 1, found null",
        "{\"equivalent\":true,\"reason\":7} | \"reason\": expected a string, found 7",
        "{\"equivalent\":true,\"score\":7} | \"score\": expected no member of this name, found 7",
      })
  void answer_that_is_not_a_judgment_is_refused(String answer, String message) {
    assertThatIOException()
        .isThrownBy(() -> judge("printf %s '" + answer + "'").compare(TEXTS))
        .withMessageStartingWith("the answer of the judge \"sh\": ")
        .withMessageContaining(message);
  }

  @Test
  void program_that_fails_has_no_judgment() {
    assertThatIOException()
        .isThrownBy(
            () -> judge("echo '{\"equivalent\":true}'; echo no key >&2; exit 2").compare(TEXTS))
        .withMessage("the judge \"sh\" exited with 2:\nno key");
    assertThatIOException()
        .isThrownBy(
            () -> ProcessJudge.of(ProcessCommand.of(List.of("./no-such-judge"))).compare(TEXTS))
        .withMessage("cannot start \"./no-such-judge\": No such file or directory");
  }

  @Test
  void program_that_does_not_answer_in_time_has_no_judgment() {
    assertThatExceptionOfType(NotExecutedException.class)
        .isThrownBy(
            () -> judge("exec sleep 100").withTimeout(Duration.ofMillis(200)).compare(TEXTS))
        .withMessage("the program \"sh\": it did not answer in 0.2 s")
        .extracting(NotExecutedException::reason)
        .isEqualTo(Reason.LIMIT);
    assertThatIllegalArgumentException().isThrownBy(() -> judge("true").withTimeout(Duration.ZERO));
  }

  @Test
  void interrupted_comparison_ends_the_program() throws Exception {
    CompletableFuture<String> pid = new CompletableFuture<>();
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
    ProcessJudge judge =
        ProcessJudge.of(ProcessCommand.of(List.of("sh", "-c", "echo $$ >&2; exec sleep 1000"))
            .withErrors(pid::complete));
    Thread thread = new Thread(() -> {
      failure.complete(catchThrowable(() -> judge.compare(TEXTS)));
      isInterrupted.complete(Thread.currentThread().isInterrupted());
    });
    thread.start();
    ProcessHandle sleep =
        ProcessHandle.of(Long.parseLong(pid.get(30, TimeUnit.SECONDS))).orElseThrow();

    thread.interrupt();

    assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedIOException.class);
    assertThat(isInterrupted.get(30, TimeUnit.SECONDS)).isTrue();
    sleep.onExit().get(30, TimeUnit.SECONDS);
    assertThat(sleep.isAlive()).isFalse();
  }
}
