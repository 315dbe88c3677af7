package dev.agentreplay.engine.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.subject.SubjectException.Reason;
import dev.agentreplay.io.recording.SessionRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that do not keep to the protocol, each a script of a shell. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class SubjectFaultsTest {

  private static final String HELLO = "{\"id\":0,\"type\":\"hello\",\"protocol\":1}";

  @TempDir
  Path directory;

  private final List<String> errors = new CopyOnWriteArrayList<>();
  private SessionRecorder recorder;
  private AgentScope scope;

  @BeforeEach
  void record() throws IOException {
    recorder = SessionRecorder.start(directory.resolve("session"), "s");
    scope = AgentScope.recording(
        recorder, Executors.none().withTool("echo", ToolExecutor.of(params -> params)));
  }

  @AfterEach
  void close() throws IOException {
    recorder.close();
  }

  private SubjectProcess subject(String script) {
    return SubjectProcess.of(
        ProcessCommand.of(List.of("sh", "-c", script)).withErrors(errors::add));
  }

  private Throwable failure(SubjectProcess subject) {
    return catchThrowable(() -> subject.run(scope));
  }

  private SubjectException refused(String script) {
    Throwable failure = failure(subject(script));
    assertThat(failure).isInstanceOf(SubjectException.class);
    return (SubjectException) failure;
  }

  /** A script that prints messages, and then the answers to them to its standard error. */
  private static String printing(String... messages) {
    StringBuilder script = new StringBuilder();
    for (String message : messages) {
      script.append("echo '").append(message).append("'; ");
    }
    return script.append("cat >&2").toString();
  }

  @Test
  void subject_that_keeps_to_the_protocol_is_run() throws Exception {
    subject("echo '" + HELLO + "'; read a; echo \"$a\" >&2; "
            + "echo '{\"id\":1,\"type\":\"tool\",\"name\":\"echo\",\"params\":{\"a\":1}}'; "
            + "read a; echo \"$a\" >&2; "
            + "echo '{\"id\":2,\"type\":\"end\",\"status\":\"Success\"}'; read a; echo \"$a\" >&2")
        .run(scope);

    assertThat(errors).hasSize(3);
    assertThat(errors.get(0)).startsWith("{\"id\":0,\"type\":\"result\",\"protocol\":1");
    assertThat(errors.get(1))
        .startsWith("{\"id\":1,\"type\":\"result\",\"ok\":true,\"call\":\"")
        .endsWith("\"output\":{\"a\":1}}");
    assertThat(errors.get(2)).isEqualTo("{\"id\":2,\"type\":\"result\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "garbage | is not JSON",
        "[1] | expected a JSON object, found a",
        "{\"type\":\"tool\"} | expected \"id\"",
        "{\"id\":true,\"type\":\"tool\"} | expected \"id\"",
        "{\"id\":1,\"type\":\"sing\"} | unknown \"type\": \"sing\"",
        "{\"id\":1,\"type\":\"tool\",\"nmae\":\"x\"} | unknown member \"nmae\" of \"tool\"",
        "{\"id\":1,\"type\":\"tool\"} | \"name\" of \"tool\": expected a string that is not blank, found none",
        "{\"id\":1,\"type\":\"tool\",\"name\":7} | expected a string, found 7",
        "{\"id\":1,\"type\":\"tool\",\"name\":\"a\",\"local\":\"yes\"} | expected true or false",
        "{\"id\":1,\"type\":\"model\",\"prompt\":7} | \"prompt\" of \"model\"",
        "{\"id\":1,\"type\":\"value\",\"source\":\"dice\"} | the name of a source, found \"dice\"",
        "{\"id\":1,\"type\":\"value\",\"source\":\"jitter\",\"max\":\"soon\"} | a duration",
        "{\"id\":1,\"type\":\"emit\",\"event\":{\"event\":\"ToolCall\"}} | expected one of",
        "{\"id\":1,\"type\":\"emit\",\"event\":{\"event\":\"Verification\"}} | \"emit\": ",
        "{\"id\":1,\"type\":\"end\"} | \"status\" of \"end\"",
        "{\"id\":1,\"type\":\"end\",\"status\":\"Done\"} | Success, Failed, Cancelled or Timeout, found \"Done\"",
        "{\"id\":1,\"type\":\"end\",\"status\":\"Skipped\"} | Success, Failed, Cancelled or Timeout",
        "{\"id\":1,\"type\":\"end\",\"status\":\"Success\",\"confidence\":2} | a number from 0 to 1",
        "{\"id\":1,\"type\":\"output\",\"output\":1} | that was not to be run",
        "{\"id\":0,\"type\":\"hello\",\"protocol\":1} | expected \"hello\" once",
      })
  void line_that_is_not_a_message_ends_the_subject(String line, String message) {
    SubjectException refused = refused(printing(HELLO, line));

    assertThat(refused.reason()).isEqualTo(Reason.PROTOCOL);
    assertThat(refused).hasMessageContaining("the subject \"sh\": ").hasMessageContaining(message);
    // the subject gets the reason, too
    assertThat(errors).anyMatch(answer -> answer.contains("\"code\":\"protocol\""));
  }

  @Test
  void subject_that_has_closed_its_output_gets_the_reason() {
    SubjectException refused = refused("echo '" + HELLO + "'; "
        + "echo '{\"id\":1,\"type\":\"value\",\"source\":\"dice\"}'; exec >&2; read a; read b; "
        + "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; echo \"$b\"");

    assertThat(refused.reason()).isEqualTo(Reason.PROTOCOL);
    assertThat(errors).anyMatch(answer -> answer.contains("\"code\":\"protocol\""));
  }

  @Test
  void first_message_must_be_hello() {
    assertThat(refused(printing("{\"id\":1,\"type\":\"end\",\"status\":\"Success\"}")))
        .hasMessageContaining("expected \"hello\" as the first message");
  }

  @Test
  void version_that_is_not_supported_is_refused_with_those_that_are() {
    SubjectException refused = refused(printing("{\"id\":0,\"type\":\"hello\",\"protocol\":2}"));

    assertThat(refused.reason()).isEqualTo(Reason.VERSION);
    assertThat(errors).anyMatch(answer -> answer.contains("\"protocols\":[1]"));
  }

  @Test
  void id_of_a_request_that_is_not_answered_cannot_be_used_again() {
    String local = "{\"id\":1,\"type\":\"tool\",\"name\":\"a\",\"local\":true}";

    assertThat(refused(printing(HELLO, local, local))).hasMessageContaining("is used again");
  }

  @Test
  void output_of_a_call_must_fit_its_kind() {
    assertThat(refused("echo '" + HELLO + "'; read a; "
            + "echo '{\"id\":1,\"type\":\"tool\",\"name\":\"a\",\"local\":true}'; read a; "
            + "echo '{\"id\":1,\"type\":\"output\",\"answer\":1}'; cat >&2"))
        .hasMessageContaining("no such member for this kind of call");
  }

  @Test
  void message_after_the_end_is_refused() {
    String end = "{\"id\":1,\"type\":\"end\",\"status\":\"Success\"}";

    assertThat(refused(printing(HELLO, end, end.replace('1', '2'))))
        .hasMessageContaining("expected no message after \"end\"");
  }

  @Test
  void too_many_requests_that_are_not_answered_end_the_subject() {
    String local = "{\"id\":%d,\"type\":\"tool\",\"name\":\"a\",\"local\":true}";
    SubjectProcess subject = subject(
            printing(HELLO, local.formatted(1), local.formatted(2), local.formatted(3)))
        .withLimits(SubjectLimits.defaults().withMaxOutstanding(2));

    assertThat(failure(subject))
        .isInstanceOfSatisfying(
            SubjectException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LIMIT))
        .hasMessageContaining("more than 2 requests");
  }

  @Test
  @Tag("slow")
  void flood_of_requests_without_reading_the_answers_is_ended() {
    SubjectProcess subject = subject("echo '" + HELLO + "'; i=0; while :; do i=$((i+1)); "
        + "echo '{\"id\":'$i',\"type\":\"tool\",\"name\":\"a\",\"local\":true}'; done");

    assertThat(failure(subject))
        .isInstanceOfSatisfying(
            SubjectException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LIMIT));
  }

  @Test
  @Tag("slow")
  void line_without_an_end_is_not_read_to_the_end() {
    SubjectProcess subject =
        subject("yes | tr -d '\\n'").withLimits(SubjectLimits.defaults().withMaxLineBytes(100));

    assertThat(failure(subject))
        .isInstanceOfSatisfying(
            SubjectException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LIMIT))
        .hasMessageContaining("line 1 has more than 100 bytes");
  }

  @Test
  void exit_code_is_reported_with_the_end_of_the_errors() {
    SubjectException refused = refused("echo '" + HELLO + "'; echo no model >&2; exit 3");

    assertThat(refused.reason()).isEqualTo(Reason.EXIT_CODE);
    assertThat(refused).hasMessage("the subject \"sh\": its exit code is 3:\nno model");
  }

  @Test
  void subject_that_exits_without_a_message_is_not_an_agent() {
    assertThat(refused("exit 0").reason()).isEqualTo(Reason.CLOSED);
  }

  @Test
  void subject_that_exits_before_it_is_answered_is_reported() {
    SubjectException refused = refused("echo '" + HELLO
        + "'; echo '{\"id\":1,\"type\":\"tool\",\"name\":\"a\",\"local\":true}'; exit 0");

    assertThat(refused.reason()).isEqualTo(Reason.CLOSED);
    assertThat(refused).hasMessageContaining("before 1 of its requests");
  }

  @Test
  void program_that_does_not_know_the_protocol_is_ended() {
    SubjectProcess subject = SubjectProcess.of(ProcessCommand.of(List.of("cat")))
        .withLimits(SubjectLimits.defaults().withHello(Duration.ofMillis(100)));

    assertThat(failure(subject))
        .isInstanceOfSatisfying(
            SubjectException.class, e -> assertThat(e.reason()).isEqualTo(Reason.HANGING))
        .hasMessageContaining("it did not send \"hello\" in 0.1 s");
  }

  @Test
  void subject_that_closes_its_output_must_exit() {
    SubjectProcess subject = subject("echo '" + HELLO + "'; exec >&-; sleep 1000")
        .withLimits(SubjectLimits.defaults().withGrace(Duration.ofMillis(100)));

    assertThat(failure(subject))
        .isInstanceOfSatisfying(
            SubjectException.class, e -> assertThat(e.reason()).isEqualTo(Reason.HANGING))
        .hasMessageContaining("it closed its output, and did not exit in 0.1 s");
  }

  @Test
  void subject_that_closes_its_input_must_exit() {
    SubjectProcess subject = subject("exec <&-; sleep 0.2; echo '" + HELLO + "'; sleep 1000")
        .withLimits(SubjectLimits.defaults().withGrace(Duration.ofMillis(100)));

    assertThat(failure(subject))
        .isInstanceOfSatisfying(
            SubjectException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED))
        .hasMessageContaining("it closed its input");
  }

  @Test
  void subject_that_does_not_exit_after_the_end_is_ended() {
    SubjectProcess subject = subject("echo '" + HELLO
            + "'; echo '{\"id\":1,\"type\":\"end\",\"status\":\"Success\"}'; sleep 1000")
        .withLimits(SubjectLimits.defaults().withGrace(Duration.ofMillis(100)));

    assertThat(failure(subject))
        .isInstanceOfSatisfying(
            SubjectException.class, e -> assertThat(e.reason()).isEqualTo(Reason.HANGING))
        .hasMessageContaining("it ended the session");
  }

  @Test
  @Tag("slow")
  void process_that_keeps_the_output_open_does_not_keep_the_replay() throws Exception {
    subject("echo '" + HELLO + "'; sleep 1000 & echo $! >&2; read a; exit 0").run(scope);

    // it is not a child any more, and is not found
    ProcessHandle.of(Long.parseLong(errors.get(0))).ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  @Tag("slow")
  void interrupted_run_ends_the_subject_and_its_children() throws Exception {
    CompletableFuture<String> child = new CompletableFuture<>();
    SubjectProcess subject = SubjectProcess.of(ProcessCommand.of(
            List.of("sh", "-c", "echo '" + HELLO + "'; sleep 1000 & echo $! >&2; wait"))
        .withErrors(child::complete));
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread thread = new Thread(() -> failure.complete(failure(subject)));
    thread.start();
    ProcessHandle sleep =
        ProcessHandle.of(Long.parseLong(child.get(30, TimeUnit.SECONDS))).orElseThrow();

    thread.interrupt();

    assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    sleep.onExit().get(30, TimeUnit.SECONDS);
    assertThat(sleep.isAlive()).isFalse();
  }

  @Test
  void subject_gets_few_variables_and_no_home() {
    failure(subject("env >&2"));

    assertThat(errors)
        .contains("REPLAY_PROTOCOL=1")
        .allMatch(line ->
            line.matches("(PATH|LANG|LC_ALL|TZ|TMPDIR|REPLAY_PROTOCOL|PWD|OLDPWD|SHLVL|_)=.*"));
  }

  @Test
  void variables_that_are_allowed_are_passed() {
    failure(SubjectProcess.of(ProcessCommand.of(List.of("sh", "-c", "env >&2"))
        .withEnvironment(Set.of("HOME"))
        .withErrors(errors::add)));

    assertThat(errors).contains("HOME=" + System.getenv("HOME"));
  }

  @Test
  void program_that_cannot_be_started_is_refused_before_it_is() throws IOException {
    Path file = Files.writeString(directory.resolve("agent"), "");
    Path tree = Files.createDirectory(directory.resolve("tree"));

    assertThatCode(() -> ProcessCommand.of(List.of("sh")).requireExecutable())
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> ProcessCommand.of(List.of("no such program")).requireExecutable())
        .hasMessage("cannot start \"no such program\": No such file or directory");
    assertThatThrownBy(() -> ProcessCommand.of(List.of(file.toString())).requireExecutable())
        .hasMessage("cannot start \"" + file + "\": Permission denied");
    assertThatThrownBy(() -> ProcessCommand.of(List.of(tree.toString())).requireExecutable())
        .hasMessage("cannot start \"" + tree + "\": Permission denied");
    assertThatThrownBy(() -> ProcessCommand.of(List.of("a\0b")).requireExecutable())
        .isInstanceOf(IOException.class);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    assertThatCode(() ->
            ProcessCommand.of(List.of("./agent")).withDirectory(directory).requireExecutable())
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> ProcessCommand.of(List.of("./agent")).withDirectory(tree).requireExecutable())
        .hasMessageContaining("No such file or directory");
    assertThatThrownBy(
            () -> ProcessCommand.of(List.of("sh")).withDirectory(file).requireExecutable())
        .hasMessageContaining("is not a directory");
  }

  @Test
  void program_that_does_not_exist_is_named() {
    assertThat(failure(SubjectProcess.of(ProcessCommand.of(List.of("./no-such-agent")))))
        .isInstanceOfSatisfying(NotExecutedException.class, e -> assertThat(e.reason())
            .isEqualTo(NotExecutedException.Reason.NOT_STARTED))
        .hasMessage("cannot start \"./no-such-agent\": No such file or directory");
  }
}
