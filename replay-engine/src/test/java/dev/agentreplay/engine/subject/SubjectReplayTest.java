package dev.agentreplay.engine.subject;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Agents that are programs, in Python and Java, are recorded and replayed by the same messages. */
@Timeout(120)
class SubjectReplayTest {

  private static final Path SCRIPTS = Path.of("src/test/resources/subject").toAbsolutePath();

  private static boolean hasPython;

  @TempDir
  Path directory;

  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final AtomicInteger executions = new AtomicInteger();

  @BeforeAll
  static void findPython() throws IOException, InterruptedException {
    try {
      Process python = new ProcessBuilder("python3", "--version").start();
      hasPython = python.waitFor(30, TimeUnit.SECONDS) && python.exitValue() == 0;
    } catch (IOException notFound) {
      hasPython = false;
    }
    if (!hasPython) {
      System.err.println("SKIPPED: there is no python3, the agents in Python are NOT TESTED");
    }
  }

  private SubjectProcess python(String script, String... arguments) {
    Assumptions.assumeTrue(hasPython, "there is no python3");
    List<String> words =
        new ArrayList<>(List.of("python3", "-B", SCRIPTS.resolve(script).toString()));
    words.addAll(List.of(arguments));
    return SubjectProcess.of(ProcessCommand.of(words).withErrors(errors::add));
  }

  private SubjectProcess java(String... arguments) {
    List<String> words = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        LaneSubject.class.getName()));
    words.addAll(List.of(arguments));
    return SubjectProcess.of(ProcessCommand.of(words).withErrors(errors::add));
  }

  private Executors executors() {
    ToolExecutor tool = ToolExecutor.of(params -> {
      executions.incrementAndGet();
      return "done: " + params;
    });
    return Executors.none()
        .withTool("read_file", tool)
        .withTool("write_file", tool)
        .withTool("search", tool)
        .withModel((call, pieces) -> {
          executions.incrementAndGet();
          pieces.accept("Loo");
          pieces.accept("ks good");
          return ModelResult.of(call.id(), "Looks good");
        });
  }

  private Session record(SubjectProcess agent) throws Exception {
    RecorderOptions options =
        RecorderOptions.defaults().withContext(ContextOptions.defaults().withRecords(true));
    Path recorded = directory.resolve("recorded");
    try (SessionRecorder recorder =
        SessionRecorder.start(recorded, SessionStart.of("subject"), options)) {
      agent.run(AgentScope.recording(recorder, executors()));
    }
    executions.set(0);
    errors.clear();
    return Session.open(recorded);
  }

  private static List<String> calls(Session session) throws IOException {
    List<String> calls = new ArrayList<>();
    try (var reader = session.reader()) {
      for (var line = reader.read(); line != null; line = reader.read()) {
        ReplayEvent event = line.event();
        if (event instanceof ToolCall call) {
          calls.add((event.meta().agent() == null ? "" : event.meta().agent() + ":") + call.tool());
        }
      }
    }
    return calls;
  }

  @Test
  void agent_in_python_is_recorded_and_replayed() throws Exception {
    Session session = record(python("agent.py"));

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(python("agent.py"));

    assertThat(calls(session)).containsExactly("read_file", "measure", "write_file");
    assertThat(report.failure()).isNull();
    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges().served()).isEqualTo(4);
    assertThat(executions).hasValue(0);
    // the pieces of the recorded stream
    assertThat(errors).containsExactly("pieces Loo|ks good");
  }

  @Test
  void example_of_the_document_on_the_protocol_works() throws Exception {
    Assumptions.assumeTrue(hasPython, "there is no python3");
    List<String> blocks = pythonBlocks(Path.of("../docs/protocol.md"), "```python\n");
    assertThat(blocks).hasSize(3); // the last one is of agents of a session record
    assertThat(pythonBlocks(
            Path.of("../docs/how-to/replay-an-agent.md"), "```python replay_subject.py\n"))
        .containsExactly(blocks.get(0));
    Files.writeString(directory.resolve("replay_subject.py"), blocks.get(0));
    Files.writeString(directory.resolve("agent.py"), blocks.get(1));
    Files.writeString(directory.resolve("a.txt"), "fn main() {}");
    SubjectProcess agent = SubjectProcess.of(ProcessCommand.of(List.of("python3", "agent.py"))
        .withDirectory(directory)
        .withErrors(errors::add));

    Session session = record(agent);
    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(agent);

    assertThat(calls(session)).containsExactly("read_file", "comment");
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  private static List<String> pythonBlocks(Path document, String start) throws IOException {
    List<String> blocks = new ArrayList<>();
    String text = Files.readString(document);
    for (int at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      int from = at + start.length();
      blocks.add(text.substring(from, text.indexOf("```", from)));
    }
    return blocks;
  }

  @Test
  void changed_parameter_of_an_agent_in_python_is_a_miss() throws Exception {
    Session session = record(python("agent.py"));

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(python("agent.py", "c.txt"));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.root().miss().kind()).isEqualTo(MissKind.DIVERGED);
    assertThat(report.root().miss().nearest().pointer()).isEqualTo("/params/path");
    // not the exit code of the program that did not expect it
    assertThat(report.failure()).isInstanceOf(ReplayMissException.class);
    assertThat(report.failure().getSuppressed()[0]).isInstanceOf(SubjectException.class);
    assertThat(String.join("\n", errors)).contains("Unanswered: miss: tool call read_file");
  }

  @Test
  void tool_that_the_agent_runs_itself_is_executed_and_compared() throws Exception {
    Session session = record(python("agent.py"));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("measure", Effect.PURE, ToolExecutor.of(params -> "not used"))
        .run(python("agent.py"));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges().executed()).isEqualTo(1);
    assertThat(report.exchanges().served()).isEqualTo(3);
  }

  @Test
  void agents_in_lanes_that_request_at_the_same_time_are_replayed() throws Exception {
    Session session = record(java("3"));
    assertThat(calls(session)).contains("research", "one:search", "two:search", "three:search");

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(java("3"));

    assertThat(report.failure()).isNull();
    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(executions).hasValue(0);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void agent_that_never_ends_is_killed_when_the_time_is_over() throws Exception {
    Session session = record(java("1"));
    SubjectProcess hanging = SubjectProcess.of(ProcessCommand.of(
            List.of("sh", "-c", "echo '{\"id\":0,\"type\":\"hello\",\"protocol\":1}'; sleep 1000"))
        .withErrors(errors::add));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .timeouts(ReplayTimeouts.defaults().withOverall(Duration.ofMillis(300)))
        .run(hanging);

    assertThat(report.verdict()).isIn(ReplayVerdict.INCOMPLETE, ReplayVerdict.DIVERGED);
    assertThat(report.incomplete()).anyMatch(reason -> reason.contains("did not end within"));
    assertThat(ProcessHandle.current().descendants().map(ProcessHandle::info).toList())
        .noneMatch(info -> info.commandLine().orElse("").contains("sleep 1000"));
  }
}
