package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.accept.Proposal;
import dev.agentreplay.engine.diff.DiffLimits;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.execution.NotExecutedException.Reason;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accepted divergences of a replay that stopped at them, or that others follow from. */
class AcceptedConsequencesTest {

  @TempDir
  private Path directory;

  private Session record(ReplayAgent agent) throws Exception {
    Path place = directory.resolve("recorded");
    try (SessionRecorder recorder =
        SessionRecorder.start(place, SessionStart.of("accepted"), SampleAgent.withContext())) {
      Executors executors = Executors.none().withTool("read", TestRecordings.echo());
      agent.run(AgentScope.recording(recorder, executors));
    }
    return Session.open(place);
  }

  private static JsonObject path(String path) {
    return JsonObject.of("path", path);
  }

  private static SessionEnd success() {
    return SessionEnd.of(Status.SUCCESS).withConfidence(0.9);
  }

  private static Set<ContentHash> of(ReplayReport report, String kind) {
    return Proposal.of(report).stream()
        .filter(each -> each.kind().equals(kind))
        .map(Proposal::fingerprint)
        .collect(Collectors.toSet());
  }

  private static Replay mock(Session session, DiffOptions comparison) {
    return Replay.of(session)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.STOP)
        .comparison(comparison);
  }

  /** Draws two values in an order, and reads files. */
  private static ReplayAgent agent(boolean isSwapped, String... files) {
    return scope -> {
      if (isSwapped) {
        scope.context().clock().instant();
        scope.context().uuidV4();
      } else {
        scope.context().uuidV4();
        scope.context().clock().instant();
      }
      for (String file : files) {
        scope.call("read", path(file));
      }
      scope.end(success());
    };
  }

  private static ReplayAgent swallowing(ReplayAgent agent) {
    return scope -> {
      try {
        agent.run(scope);
      } catch (ReplayStoppedException | ReplayMissException e) {
        // this agent reports nothing
      }
    };
  }

  @Test
  void replay_that_stopped_at_an_accepted_miss_does_not_pass_if_less_severe_ones_remain()
      throws Exception {
    Session session = record(agent(false, "a", "b"));
    ReplayAgent changed = swallowing(agent(true, "a", "other"));
    DiffOptions options = DiffOptions.defaults().failingFrom(DivergenceSeverity.MODERATE);
    ReplayReport before = mock(session, options).run(changed);
    assertThat(before.divergencesByKind()).containsKeys("MISS", "DRIFT");
    assertThat(before.incomplete()).isEmpty();
    assertThat(before.passes()).isFalse();

    ReplayReport after = mock(session, options.accepting(of(before, "MISS"))).run(changed);

    assertThat(after.acceptedCount()).isEqualTo(1);
    assertThat(after.hasFailures()).isFalse();
    assertThat(after.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(after.incomplete()).hasSize(1).first().asString().contains("read");
    assertThat(after.verdictIfAccepted()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(after.passes()).isFalse();
  }

  @Test
  void replay_that_stopped_at_an_accepted_value_does_not_pass() throws Exception {
    Session session = record(agent(false, "a"));
    ReplayAgent changed = swallowing(scope -> {
      agent(true, "a").run(scope);
      scope.context().uuidV4();
    });
    DiffOptions options = DiffOptions.defaults().failingFrom(DivergenceSeverity.MODERATE);
    ReplayReport before = mock(session, options).run(changed);
    Set<ContentHash> missed = Proposal.of(before).stream()
        .filter(each -> before.divergences().get(each.number()).miss() != null)
        .map(Proposal::fingerprint)
        .collect(Collectors.toSet());
    assertThat(missed).hasSize(1);

    ReplayReport after = mock(session, options.accepting(missed)).run(changed);

    assertThat(after.divergencesByKind()).containsOnlyKeys("DRIFT");
    assertThat(after.hasFailures()).isFalse();
    assertThat(after.incomplete()).isNotEmpty();
    assertThat(after.passes()).isFalse();
  }

  @Test
  void call_that_failed_because_of_an_accepted_miss_is_the_root() throws Exception {
    Session session = record(nested("a"));
    ReplayReport before = nested(session, Set.of()).run(nested("other"));
    assertThat(before.root().kind()).isEqualTo("MISS");
    assertThat(before.divergences()).hasSize(2);

    ReplayReport after = nested(session, of(before, "MISS")).run(nested("other"));

    assertThat(after.divergences()).hasSize(1);
    assertThat(after.divergences().get(0).role()).isEqualTo(Divergence.Role.ROOT);
  }

  /** An agent with a tool that calls another tool. */
  private static ReplayAgent nested(String file) {
    return scope ->
        scope.run("ask", Map.of(), () -> scope.agent("reader", null).call("read", path(file)));
  }

  private static Replay nested(Session session, Set<ContentHash> accepted) {
    return mock(session, DiffOptions.defaults().accepting(accepted))
        .policy(ReplayPolicy.of(ReplayMode.MOCK).withTool("ask", ReplayAction.EXECUTE_AND_COMPARE));
  }

  @Test
  void accepted_values_are_not_consequences_of_a_call_that_was_not_executed() throws Exception {
    ReplayAgent recorded = scope -> {
      scope.context().uuidV4();
      scope.context().uuidV4();
      scope.call("read", path("b"));
      try {
        scope.call("read", path("a"));
      } catch (NotExecutedException e) {
        // the agent does without this file
      }
      scope.end(success());
    };
    Session session = record(recorded);
    ReplayAgent changed = scope -> {
      scope.context().uuidV4();
      scope.call("read", path("c"));
      try {
        scope.call("read", path("a"));
      } catch (NotExecutedException e) {
        // the agent does without this file
      }
      scope.end(success());
    };
    ReplayReport before = live(session, Set.of()).run(changed);
    assertThat(before.divergencesByKind()).containsOnlyKeys("UNDECIDED", "UNREAD", "PARAMS");
    assertThat(before.verdict()).isEqualTo(ReplayVerdict.DIVERGED);

    ReplayReport after = live(session, of(before, "UNREAD")).run(changed);

    assertThat(after.divergencesByKind()).containsOnlyKeys("UNDECIDED", "PARAMS");
    assertThat(after.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
  }

  private static Replay live(Session session, Set<ContentHash> accepted) {
    return Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .onUnmatched(OnUnmatched.POSITION)
        .tool("read", Effect.PURE, call -> {
          if (call.params().value().equals(path("a"))) {
            throw new NotExecutedException(Reason.LIMIT, "it could not be executed", null);
          }
          return TestRecordings.echo().execute(call);
        })
        .comparison(DiffOptions.defaults().accepting(accepted));
  }

  @Test
  void accepted_misses_beyond_the_limit_of_the_list_are_accepted() throws Exception {
    Session session = record(agent(false, "a", "b", "c", "d"));
    ReplayAgent changed = scope -> {
      for (String file : new String[] {"x", "y", "z"}) {
        try {
          scope.call("read", path(file));
        } catch (ReplayMissException e) {
          // the agent does without this file
        }
      }
      scope.context().uuidV4();
      scope.context().clock().instant();
      scope.call("read", path("d"));
      scope.end(success());
    };
    ReplayReport before =
        mock(session, DiffOptions.defaults()).onUnmatched(OnUnmatched.ERROR).run(changed);
    Set<ContentHash> all =
        Proposal.of(before).stream().map(Proposal::fingerprint).collect(Collectors.toSet());
    assertThat(before.divergencesByKind()).containsEntry("MISS", 3L);
    DiffLimits small = DiffLimits.defaults().withMaxListedBytes(1);

    ReplayReport after = mock(session, DiffOptions.defaults().withLimits(small).accepting(all))
        .onUnmatched(OnUnmatched.ERROR)
        .run(changed);

    assertThat(after.comparison().divergences()).hasSize(1);
    assertThat(after.divergencesByKind()).isEmpty();
    assertThat(after.acceptedCount()).isEqualTo(before.divergenceCount());
    assertThat(after.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(after.exchanges().unread()).isEqualTo(3);
    assertThat(after.acceptedUnread()).isEqualTo(3);
  }
}
