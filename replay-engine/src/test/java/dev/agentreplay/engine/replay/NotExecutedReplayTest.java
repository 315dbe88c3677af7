package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.execution.NotExecutedException.Reason;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.engine.report.JUnitReport;
import dev.agentreplay.engine.report.MarkdownReport;
import dev.agentreplay.engine.report.RunJson;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Executors that have no result of their own: it is never compared. */
@Timeout(60)
class NotExecutedReplayTest {

  private static final int FILES = 3;

  @TempDir
  Path directory;

  private Session session;

  /** Reads files, and continues after one that it does not get. */
  private final ReplayAgent agent = scope -> {
    for (int i = 0; i < FILES; i++) {
      try {
        scope.call("read_file", path(i));
      } catch (NotExecutedException e) {
        // the agent does without this file
      }
    }
  };

  @BeforeEach
  void record() throws Exception {
    session = record("recorded", agent);
  }

  private Session record(String name, ReplayAgent recorded) throws Exception {
    Executors executors = Executors.none()
        .withTool("read_file", TestRecordings.echo())
        .withModel((call, pieces) -> ModelResult.of(call.id(), "Hello"));
    return TestRecordings.record(directory.resolve(name), recorded, executors);
  }

  /** A tool that is not executed for some of the files. */
  private static ToolExecutor tool(Reason reason, Integer... files) {
    List<JsonObject> paths =
        IntStream.range(0, files.length).mapToObj(i -> path(files[i])).toList();
    return call -> {
      if (paths.contains(call.params().value())) {
        throw new NotExecutedException(reason, "it could not be executed", null);
      }
      return TestRecordings.echo().execute(call);
    };
  }

  private Replay live(ToolExecutor tool) {
    return Replay.of(session).mode(ReplayMode.TOOLS_LIVE).tool("read_file", Effect.PURE, tool);
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void replay_is_incomplete_and_the_class_is_in_ledger_and_report(Reason reason) throws Exception {
    Path out = directory.resolve("out");
    ReplayReport report = live(tool(reason, 1)).directory(out).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete())
        .containsExactly("1 exchange was not executed: read_file: it could not be executed");
    assertThat(report.divergencesByKind()).isEqualTo(Map.of("UNDECIDED", 1L));
    ReplayDivergence divergence = report.divergences().get(0);
    assertThat(divergence.notExecuted()).isEqualTo(reason);
    assertThat(divergence.message())
        .isEqualTo("read_file was not executed: it could not be executed");
    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(3, 0, 2, 1));
    requireClosedCounts(report);

    JsonObject entry = TestRecordings.ledger(out).get(1);
    assertThat(entry.get("result")).isEqualTo(JsonString.of("not_executed"));
    assertThat(entry.get("not_executed")).isEqualTo(JsonString.of(reason.id()));
    assertThat(entry.get("message")).isEqualTo(JsonString.of("it could not be executed"));
    assertThat(RunJson.render(report).at("/divergences/0/not_executed"))
        .isEqualTo(JsonString.of(reason.id()));
    List<ReplayEvent> events = TestRecordings.events(Session.open(out));
    ToolResult recorded = events.stream()
        .filter(ToolResult.class::isInstance)
        .map(ToolResult.class::cast)
        .filter(result -> !result.succeeded())
        .findFirst()
        .orElseThrow();
    assertThat(recorded.outcome().error().name()).isEqualTo("NotExecuted");
    assertThat(recorded.outcome().known()).isFalse();
  }

  @Test
  void failure_of_a_tool_is_still_a_divergence() throws Exception {
    ReplayReport report = live(call -> {
          throw new java.io.IOException("no such file");
        })
        .run(scope -> {
          for (int i = 0; i < FILES; i++) {
            int file = i;
            assertThatThrownBy(() -> scope.call("read_file", path(file)))
                .hasMessage("no such file");
          }
        });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
  }

  @Test
  void difference_before_it_remains_one() throws Exception {
    ToolExecutor tool = tool(Reason.LIMIT, 1);
    ReplayReport report = live(call -> call.params().value().equals(path(0))
            ? ToolResult.of(call.id(), "different")
            : tool.execute(call))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).isEqualTo(Map.of("OUTPUT", 1L, "UNDECIDED", 1L));
  }

  @Test
  void what_follows_from_it_is_listed_and_not_a_difference() throws Exception {
    ReplayAgent asking = scope -> {
      String text;
      try {
        text = String.valueOf(scope.call("read_file", path(0)));
      } catch (NotExecutedException e) {
        text = "no file";
      }
      scope.execute(ModelCall.of("m", "gpt", Prompt.of("Review: " + text)), piece -> {});
    };
    session = record("asking", asking);

    ReplayReport report = live(tool(Reason.SANDBOX_SETUP, 0)).run(asking);

    assertThat(report.divergencesByKind()).containsKeys("UNDECIDED", "MISS");
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    requireClosedCounts(report);
  }

  @Test
  void agent_that_requests_it_again_leaves_the_replay_incomplete() throws Exception {
    ReplayAgent repeating = scope -> {
      for (int i = 0; i < FILES; i++) {
        try {
          scope.call("read_file", path(i));
        } catch (NotExecutedException e) {
          scope.context().jitter(java.time.Duration.ofSeconds(1));
          scope.call("read_file", path(i));
        }
      }
    };
    int[] calls = {0};
    ReplayReport report = live(call -> {
          if (calls[0]++ == 1) {
            throw new NotExecutedException(Reason.LIMIT, "too much memory", null);
          }
          return TestRecordings.echo().execute(call);
        })
        .run(repeating);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.divergencesByKind()).isEqualTo(Map.of("UNDECIDED", 1L));
    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(3, 0, 3, 0));
    assertThat(report.requests()).isEqualTo(4);
    assertThat(report.missed()).isZero();
    requireClosedCounts(report);
  }

  @Test
  void agent_that_fails_because_of_it_is_not_compared_further() throws Exception {
    ReplayReport report = live(tool(Reason.NOT_STARTED, 0)).run(scope -> {
      try {
        scope.call("read_file", path(0));
      } catch (NotExecutedException e) {
        throw new IllegalStateException("cannot continue", e);
      }
    });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete())
        .containsExactly(
            "the agent failed: cannot continue",
            "1 exchange was not executed: read_file: it could not be executed");
    assertThat(report.divergencesByKind()).containsOnlyKeys("UNDECIDED");
    requireClosedCounts(report);
  }

  @Test
  void recorded_requests_that_are_issued_continue_after_it() throws Exception {
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.FULL)
        .tool("read_file", Effect.PURE, tool(Reason.LIMIT, 0, 2))
        .run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete())
        .containsExactly("2 exchanges were not executed: read_file: it could not be executed");
    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(3, 0, 1, 2));
  }

  @Test
  void model_that_is_not_executed_is_not_compared() throws Exception {
    ReplayAgent asking =
        scope -> scope.execute(ModelCall.of("m", "gpt", Prompt.of("Hi")), piece -> {});
    session = record("model", asking);

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .model((call, pieces) -> {
          throw new NotExecutedException(Reason.LIMIT, "more than 64 MiB", null);
        })
        .run(asking);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.divergencesByKind()).isEqualTo(Map.of("UNDECIDED", 1L));
  }

  @Test
  @Tag("slow")
  @Timeout(300)
  void more_requests_than_the_ledger_keeps_are_not_differences() throws Exception {
    int many = 10_050;
    ReplayAgent reading = scope -> {
      for (int i = 0; i < many; i++) {
        try {
          scope.call("read_file", path(i));
        } catch (NotExecutedException e) {
          // the agent does without this file
        }
      }
    };
    session = record("many", reading);

    ReplayReport report = live(call -> {
          throw new NotExecutedException(Reason.SANDBOX_SETUP, "no sandbox", null);
        })
        .timeouts(ReplayTimeouts.defaults().withOverall(Duration.ofMinutes(4)))
        .run(reading);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete())
        .containsExactly("10,050 exchanges were not executed: read_file: no sandbox");
    assertThat(report.divergencesByKind()).containsOnlyKeys("UNDECIDED");
  }

  @Test
  void reports_say_that_it_was_not_executed() throws Exception {
    ReplayReport report = live(tool(Reason.LIMIT, 1)).run(agent);

    assertThat(TextReport.render(report))
        .contains("UNDECIDED")
        .contains("read_file was not executed: it could not be executed")
        .contains("not compared: it says nothing about the session");
    assertThat(MarkdownReport.render(report)).contains("was not executed");
    assertThat(JUnitReport.render(report, DivergenceSeverity.MINOR))
        .contains("failures=\"0\" errors=\"2\"")
        .contains("<error type=\"INCOMPLETE\"");
    assertThat(RunJson.render(report).at("/isolation/sandbox")).isEqualTo(JsonValue.of("none"));
    assertThat(TextReport.render(report)).doesNotContain("isolation");
  }

  @Test
  void isolation_of_programs_is_in_the_report() throws Exception {
    ReplayReport report =
        live(TestRecordings.echo()).isolation(() -> Isolation.NOT_ISOLATED).run(agent);

    assertThat(report.isolation()).isEqualTo(Isolation.NOT_ISOLATED);
    assertThat(TextReport.render(report))
        .contains("  isolation   none\n")
        .contains("not isolated: programs had the permissions of the process");
  }

  @Test
  void a_retry_gets_its_own_recorded_exchange_before_a_later_equal_one() throws Exception {
    ReplayAgent twice = scope -> {
      scope.call("counter", path(0));
      scope.call("counter", path(0));
    };
    AtomicInteger recorded = new AtomicInteger();
    Session counted = TestRecordings.record(
        directory.resolve("counted"),
        twice,
        Executors.none().withTool("counter", ToolExecutor.of(recorded::incrementAndGet)));
    AtomicInteger attempts = new AtomicInteger();
    ToolExecutor failingOnce = call -> {
      if (attempts.getAndIncrement() == 0) {
        throw new NotExecutedException(Reason.LIMIT, "it could not be executed", null);
      }
      return ToolResult.of(call.id(), attempts.get() - 1);
    };
    ReplayAgent retrying = scope -> {
      try {
        scope.call("counter", path(0));
      } catch (NotExecutedException e) {
        scope.call("counter", path(0));
      }
      scope.call("counter", path(0));
    };

    ReplayReport report = Replay.of(counted)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("counter", Effect.PURE, failingOnce)
        .run(retrying);

    assertThat(report.divergencesByKind()).isEqualTo(Map.of("UNDECIDED", 1L));
    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(2, 0, 2, 0));
    requireClosedCounts(report);
  }
}
