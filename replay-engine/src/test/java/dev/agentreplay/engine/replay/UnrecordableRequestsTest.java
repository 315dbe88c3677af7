package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.echo;
import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.record;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that the recorder does not take, of an agent that swallows each exception. */
class UnrecordableRequestsTest {

  /** A number whose digits JCS would change. */
  private static final JsonObject LONG_NUMBER = JsonObject.of("n", 9_007_199_254_740_993L);

  @TempDir
  Path directory;

  private final ReplayAgent agent = scope -> {
    scope.call("read", path(1));
    scope.call("read", path(2));
  };

  private Session session;

  /** Requests that no recorder of JCS takes. */
  enum Refused {
    NUMBER(scope -> scope.call("read", LONG_NUMBER)),
    PARAMETERS(scope -> scope.call("read", Map.of("object", new Object()))),
    CODE_OF_THE_AGENT(scope -> scope.run("read", Map.of("object", new Object()), () -> 1)),
    PROMPT(scope -> scope.ask("gpt-5", Map.of("object", new Object()))),
    BLANK_TOOL(scope -> scope.call("", path(1))),
    LANE(scope -> scope.agent("\ud800", null).call("read", path(1))),
    ATTEMPT(scope -> scope.execute(new ToolCall(
        "", "delete_all", Content.of(path(1)), null, new Attempt(-5L, null), Meta.NONE)));

    final ReplayAgent request;

    Refused(ReplayAgent request) {
      this.request = request;
    }
  }

  private static void swallow(ReplayAgent request, AgentScope scope) {
    try {
      request.run(scope);
    } catch (Exception swallowed) {
      // as an agent that treats it as the error of a tool
    }
  }

  @BeforeEach
  void record_with_jcs() throws Exception {
    session = record(
        directory.resolve("recording"),
        agent,
        Executors.none().withTool("read", echo()),
        RecorderOptions.defaults().withCanonicalization(Canonicalization.JCS));
  }

  @ParameterizedTest
  @EnumSource
  void a_request_that_no_recorder_takes_is_refused_and_counted(Refused refused) throws Exception {
    Path out = directory.resolve("out");

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .directory(out)
        .run(scope -> {
          scope.call("read", path(1));
          swallow(refused.request, scope);
          scope.call("read", path(2));
        });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsOnly(Map.entry("REFUSED", 1L));
    assertThat(report.root().message()).contains(" is refused, because it cannot be recorded: ");
    assertThat(report.requests()).isEqualTo(3);
    assertThat(report.missed()).isOne();
    assertThat(report.exchanges().served()).isEqualTo(2);
    requireClosedCounts(report);
    assertThat(TestRecordings.ledger(out))
        .extracting(entry -> entry.at("/result").asString())
        .containsExactly("served", "refused", "served");
  }

  @Test
  void the_agent_gets_the_exception_that_it_gets_from_a_recorder() throws Exception {
    ReplayReport report =
        Replay.of(session).mode(ReplayMode.MOCK).run(scope -> scope.call("read", LONG_NUMBER));

    assertThat(report.failure()).isInstanceOf(IllegalArgumentException.class);
    assertThat(report.divergences())
        .filteredOn(divergence -> divergence.kind().equals("REFUSED"))
        .extracting(ReplayDivergence::message)
        .containsExactly("tool read is refused, because it cannot be recorded: "
            + report.failure().getMessage());
  }

  @Test
  void a_request_that_no_recorder_takes_is_not_executed() throws Exception {
    AtomicInteger executions = new AtomicInteger();

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read", Effect.PURE, call -> {
          executions.incrementAndGet();
          return echo().execute(call);
        })
        .run(scope -> {
          swallow(Refused.NUMBER.request, scope);
          agent.run(scope);
        });

    assertThat(executions).hasValue(2);
    assertThat(report.divergencesByKind()).containsOnly(Map.entry("REFUSED", 1L));
    requireClosedCounts(report);
  }

  @Test
  void the_divergences_of_later_requests_are_at_their_lines() throws Exception {
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.ERROR)
        .run(scope -> {
          swallow(Refused.BLANK_TOOL.request, scope);
          swallow(Refused.NUMBER.request, scope);
          scope.call("read", path(1));
          scope.call("read", path(2));
          swallow(each -> each.call("read", path(3)), scope);
        });

    List<ReplayDivergence> divergences = report.divergences();
    assertThat(divergences)
        .extracting(ReplayDivergence::kind)
        .containsExactly("REFUSED", "REFUSED", "MISS");
    assertThat(divergences.get(2).comparison()).isNotNull();
    requireClosedCounts(report);
  }
}
