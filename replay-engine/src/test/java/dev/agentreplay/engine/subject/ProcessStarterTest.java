package dev.agentreplay.engine.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.execution.NotExecutedException.Reason;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Programs that a starter starts, such as a sandbox. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class ProcessStarterTest {

  private static final String HELLO = "{\"id\":0,\"type\":\"hello\",\"protocol\":1}";
  private static final String READ = "{\"id\":1,\"type\":\"tool\",\"name\":\"read\"}";

  @TempDir
  Path directory;

  /** Starts programs directly, and keeps what it was called with. */
  private static final class Starter implements ProcessStarter {

    private final @Nullable NotExecutedException fault;
    private final List<String> started = new ArrayList<>();
    private final List<Map<String, String>> environments = new ArrayList<>();
    private final List<@Nullable Path> directories = new ArrayList<>();
    private int closed;

    Starter(@Nullable NotExecutedException fault) {
      this.fault = fault;
    }

    @Override
    public RunningProcess start(
        List<String> words, @Nullable Path directory, Map<String, String> environment)
        throws NotExecutedException {
      started.add(words.get(0));
      directories.add(directory);
      environments.add(environment);
      ProcessBuilder builder = new ProcessBuilder(words);
      builder.environment().clear();
      builder.environment().putAll(environment);
      DirectProcess direct;
      try {
        direct = DirectProcess.start(builder);
      } catch (IOException e) {
        throw new NotExecutedException(Reason.NOT_STARTED, "not in the sandbox", e);
      }
      return new RunningProcess() {
        @Override
        public Process process() {
          return direct.process();
        }

        @Override
        public @Nullable NotExecutedException fault() throws InterruptedException {
          direct.process().waitFor();
          return fault;
        }

        @Override
        public void close() {
          closed++;
          direct.close();
        }
      };
    }
  }

  private static NotExecutedException limit() {
    return new NotExecutedException(Reason.LIMIT, "more than 1 GiB of memory", null);
  }

  private static ProcessCommand sh(String script) {
    return ProcessCommand.of(List.of("sh", "-c", script));
  }

  private static ToolResult run(ProcessCommand command) throws Exception {
    JsonObject tool = JsonObject.of("command", command.words(), "effect", "pure");
    JsonObject tools = JsonObject.of("tools", JsonObject.of("read", tool));
    return ProcessTools.parse(tools, any -> command, null)
        .executor("read")
        .execute(ToolCall.of("c", "read", JsonObject.EMPTY));
  }

  @Test
  void starter_gets_words_directory_and_the_whole_environment() throws Exception {
    Starter starter = new Starter(null);
    ProcessCommand command = sh("echo $TZ")
        .withVariables(Map.of("TZ", "Europe/Vienna", "REPLAY_PROTOCOL", "9"))
        .withEnvironment(Set.of("HOME"))
        .withDirectory(directory)
        .withStarter(starter);

    assertThat(run(command).output().value()).isEqualTo(JsonString.of("Europe/Vienna"));

    assertThat(starter.started).containsExactly("sh");
    assertThat(starter.directories).containsExactly(directory);
    assertThat(starter.environments.get(0))
        .containsEntry("TZ", "Europe/Vienna")
        .containsEntry("REPLAY_PROTOCOL", "1")
        .containsEntry("PATH", System.getenv("PATH"));
    List<String> passed =
        List.of("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "HOME", "REPLAY_PROTOCOL");
    assertThat(passed).containsAll(starter.environments.get(0).keySet());
    assertThat(starter.closed).isOne();
  }

  @Test
  void fixed_variables_replace_those_of_this_process_without_a_starter() throws Exception {
    ProcessCommand command = sh("echo $LANG $REPLAY_PROTOCOL")
        .withVariables(Map.of("LANG", "de_AT.UTF-8", "REPLAY_PROTOCOL", "9"));

    assertThat(run(command).output().value()).isEqualTo(JsonString.of("de_AT.UTF-8 1"));
    for (String name : List.of("", "A=B", "A\0")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> command.withVariables(Map.of(name, "x")));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> command.withVariables(Map.of("A", "x\0")))
        .withMessage("the value of A has a NUL");
  }

  @Test
  void starter_decides_whether_a_program_exists() throws Exception {
    ProcessCommand command =
        ProcessCommand.of(List.of("./only-in-the-sandbox")).withStarter(new Starter(null));

    assertThatCode(command::requireExecutable).doesNotThrowAnyException();
    assertThatThrownBy(() -> run(command))
        .isInstanceOf(NotExecutedException.class)
        .hasMessage("not in the sandbox");
    assertThatThrownBy(() -> command.withStarter(null).requireExecutable())
        .hasMessageContaining("No such file or directory");
  }

  @Test
  void program_that_the_starter_does_not_find_is_refused_before_it_starts() {
    ProcessStarter starter = new ProcessStarter() {
      @Override
      public RunningProcess start(List<String> words, Path at, Map<String, String> environment) {
        throw new AssertionError("nothing is started");
      }

      @Override
      public void requireExecutable(List<String> words, Path at, Map<String, String> environment)
          throws NotExecutedException {
        throw new NotExecutedException(Reason.NOT_STARTED, "not in the sandbox", null);
      }
    };

    assertThatThrownBy(
            () -> ProcessCommand.of(List.of("agent")).withStarter(starter).requireExecutable())
        .isInstanceOf(IOException.class)
        .hasMessage("cannot start \"agent\": not in the sandbox");
  }

  @Test
  void program_that_the_starter_stopped_has_no_result_whatever_its_exit_code() {
    for (String script : List.of("echo partly", "exit 137", "kill -9 $$")) {
      Starter starter = new Starter(limit());
      assertThatThrownBy(() -> run(sh(script).withStarter(starter)))
          .isSameAs(starter.fault)
          .isInstanceOfSatisfying(
              NotExecutedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LIMIT));
      assertThat(starter.closed).isOne();
    }
  }

  @Test
  void subject_that_was_stopped_at_a_limit_fails_with_it() throws Exception {
    for (String script : List.of(
        "echo '" + HELLO + "'; read a; exit 137",
        "echo '" + HELLO + "'; read a; echo '{\"id\":1,'; exit 137",
        "exit 0")) {
      Starter starter = new Starter(limit());
      SubjectProcess subject = SubjectProcess.of(sh(script).withStarter(starter));
      try (SessionRecorder recorder =
          SessionRecorder.start(directory.resolve("s" + script.hashCode()), "s")) {
        AgentScope scope = AgentScope.recording(recorder, Executors.none());
        assertThat(catchThrowable(() -> subject.run(scope))).isSameAs(starter.fault);
      }
    }
  }

  private Session record() throws Exception {
    Path recorded = directory.resolve("recorded");
    Executors tools =
        Executors.none().withTool("read", ToolExecutor.of(params -> JsonString.of("ok")));
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "s")) {
      AgentScope.recording(recorder, tools).call("read", JsonObject.EMPTY);
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }
    return Session.open(recorded);
  }

  @Test
  void replay_of_a_subject_that_cannot_be_started_is_incomplete() throws Exception {
    ReplayReport report = Replay.of(record())
        .mode(ReplayMode.MOCK)
        .run(SubjectProcess.of(ProcessCommand.of(List.of("./no-such-agent"))));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete())
        .containsExactly(
            "the agent failed: cannot start \"./no-such-agent\":" + " No such file or directory");
    assertThat(report.divergencesByKind()).isEmpty();
    assertThat(report.exchanges().unread()).isOne();
  }

  @Test
  void subject_gets_the_class_of_a_tool_that_was_not_executed() throws Exception {
    List<String> errors = new CopyOnWriteArrayList<>();
    ProcessCommand command = sh("echo '" + HELLO + "'; read a; echo '" + READ
            + "'; read a; echo \"$a\" >&2; exit 1")
        .withErrors(errors::add);
    ToolExecutor tool = call -> {
      throw new NotExecutedException(Reason.SANDBOX_SETUP, "no user namespaces", null);
    };

    ReplayReport report = Replay.of(record())
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read", Effect.PURE, tool)
        .run(SubjectProcess.of(command));

    assertThat(errors)
        .containsExactly("{\"id\":1,\"type\":\"error\",\"code\":\"not_executed\",\"name\":\""
            + NotExecutedException.class.getName()
            + "\",\"message\":\"no user namespaces\",\"reason\":\"sandbox_setup\"}");
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.failure()).isInstanceOf(NotExecutedException.class);
    assertThat(report.divergencesByKind()).containsOnlyKeys("UNDECIDED");
    assertThat(report.incomplete())
        .contains("1 exchange was not executed: read: no user namespaces");
  }
}
