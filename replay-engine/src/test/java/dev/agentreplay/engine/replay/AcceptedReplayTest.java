package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.accept.Proposal;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.engine.report.RunJson;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accepted divergences of replays: they do not count, and what is not complete stays so. */
class AcceptedReplayTest {

  private static final int TURNS = 4;

  @TempDir
  private Path directory;

  private Session session;
  private int replays;

  @BeforeEach
  void record() throws Exception {
    session =
        new SampleAgent(TURNS).record(directory.resolve("recorded"), SampleAgent.withContext());
  }

  private ReplayReport replay(ReplayAgent agent, OnUnmatched onUnmatched, Set<ContentHash> accepted)
      throws Exception {
    return Replay.of(session)
        .mode(ReplayMode.MOCK)
        .onUnmatched(onUnmatched)
        .comparison(DiffOptions.defaults().accepting(accepted))
        .directory(directory.resolve("replay-" + replays++))
        .run(agent);
  }

  private static Set<ContentHash> all(ReplayReport report) {
    return Proposal.of(report).stream().map(Proposal::fingerprint).collect(Collectors.toSet());
  }

  private static SampleAgent changed() {
    SampleAgent agent = new SampleAgent(TURNS);
    agent.task = "Fix the logout.";
    return agent;
  }

  @Test
  void replay_with_accepted_requests_is_identical_and_says_so() throws Exception {
    ReplayReport before = replay(changed(), OnUnmatched.POSITION, Set.of());
    assertThat(before.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(before.divergences()).hasSize(TURNS);

    ReplayReport after = replay(changed(), OnUnmatched.POSITION, all(before));

    assertThat(after.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(after.passes()).isTrue();
    assertThat(after.divergences()).isEmpty();
    assertThat(after.divergenceCount()).isZero();
    assertThat(after.acceptedCount()).isEqualTo(TURNS);
    assertThat(after.accepted())
        .allMatch(ReplayDivergence::isAccepted)
        .extracting(ReplayDivergence::fingerprint)
        .containsExactlyInAnyOrderElementsOf(all(before));
    assertThat(after.notFound()).isEmpty();
    assertThat(TextReport.render(after)).startsWith("identical, but 4 accepted");
    assertThat(RunJson.render(after).at("/accepted/divergences").asLong()).isEqualTo(TURNS);
    assertThat(RunJson.render(after).at("/divergences/3/accepted"))
        .isEqualTo(dev.agentreplay.model.json.JsonBoolean.TRUE);
  }

  @Test
  void accepted_root_does_not_accept_what_follows_from_it() throws Exception {
    ReplayReport before = replay(changed(), OnUnmatched.POSITION, Set.of());
    ContentHash root = before.root().fingerprint();

    ReplayReport after = replay(changed(), OnUnmatched.POSITION, Set.of(root));

    assertThat(after.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(after.acceptedCount()).isEqualTo(1);
    assertThat(after.divergences()).hasSize(TURNS - 1);
    assertThat(after.divergences().get(0).role()).isEqualTo(Divergence.Role.ROOT);
  }

  @Test
  void diff_with_the_session_of_the_replay_finds_the_same_fingerprints() throws Exception {
    SampleAgent shorter = new SampleAgent(TURNS);
    shorter.skippedTurn = TURNS - 1;
    SampleAgent longer = new SampleAgent(TURNS);
    longer.extraCalls = 1;
    longer.swallows = true;
    for (SampleAgent agent : List.of(changed(), shorter, longer)) {
      ReplayReport report = replay(agent, OnUnmatched.POSITION, Set.of());
      SessionDiff diff = SessionDiff.between(session, Session.open(report.directory()));

      assertThat(report.divergences()).isNotEmpty();
      assertThat(diff.divergences())
          .extracting(Divergence::fingerprint)
          .containsExactlyInAnyOrderElementsOf(all(report));
    }
  }

  @Test
  void stopped_replay_is_incomplete_if_all_that_it_found_is_accepted() throws Exception {
    ReplayReport before = replay(changed(), OnUnmatched.STOP, Set.of());
    assertThat(before.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(before.divergences()).extracting(ReplayDivergence::kind).contains("MISS");

    ReplayReport after = replay(changed(), OnUnmatched.STOP, all(before));

    assertThat(after.acceptedCount()).isPositive();
    assertThat(after.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(after.passes()).isFalse();
    assertThat(after.incomplete()).isNotEmpty();
  }

  @Test
  void time_out_is_not_a_difference_and_cannot_be_accepted() throws Exception {
    ReplayAgent agent = scope -> {
      try {
        scope.call("read_file", JsonObject.of("path", "a"));
      } catch (java.util.concurrent.TimeoutException e) {
        // the agent does without this file
      }
      scope.end(SessionEnd.of(Status.SUCCESS).withConfidence(0.9));
    };
    session = record(agent);
    ReplayReport before = slow(Set.of()).run(agent);
    assertThat(before.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(before.divergences()).extracting(ReplayDivergence::kind).containsExactly("TIMEOUT");
    assertThat(Proposal.of(before)).isEmpty();
    Set<ContentHash> compared = before.comparison().divergences().stream()
        .map(Divergence::fingerprint)
        .collect(Collectors.toSet());
    assertThat(compared).isNotEmpty();

    ReplayReport after = slow(compared).run(agent);

    assertThat(after.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(after.divergences()).extracting(ReplayDivergence::kind).containsExactly("TIMEOUT");
    assertThat(after.accepted()).isEmpty();
    assertThat(after.acceptedCount()).isZero();
  }

  private Replay slow(Set<ContentHash> accepted) {
    return Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> {
          new java.util.concurrent.CountDownLatch(1).await();
          return "never";
        }))
        .timeouts(ReplayTimeouts.defaults().withStep(java.time.Duration.ofNanos(1)))
        .comparison(DiffOptions.defaults().accepting(accepted));
  }

  @Test
  void recording_without_its_end_stays_incomplete() throws Exception {
    SampleAgent endless = new SampleAgent(TURNS);
    endless.ends = false;
    session = endless.record(directory.resolve("endless"));
    SampleAgent agent = changed();
    agent.ends = false;
    ReplayReport before = replay(agent, OnUnmatched.POSITION, Set.of());
    SampleAgent again = changed();
    again.ends = false;

    ReplayReport after = replay(again, OnUnmatched.POSITION, all(before));

    assertThat(after.divergenceCount()).isZero();
    assertThat(after.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
  }

  @Test
  void values_and_unread_exchanges_can_be_accepted() throws Exception {
    ReplayAgent recorded = scope -> {
      scope.context().uuidV4();
      scope.context().uuidV4();
      new SampleAgent(2).run(scope);
    };
    session = record(recorded);
    ReplayAgent changed = scope -> {
      scope.context().uuidV4();
      SampleAgent agent = new SampleAgent(2);
      agent.skippedTurn = 1;
      agent.run(scope);
    };
    ReplayReport before = replay(changed, OnUnmatched.STOP, Set.of());
    assertThat(before.divergences())
        .extracting(ReplayDivergence::kind)
        .containsOnly("UNREAD")
        .hasSize(2);
    assertThat(all(before)).hasSize(2);

    ReplayReport after = replay(changed, OnUnmatched.STOP, all(before));

    assertThat(after.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(after.acceptedCount()).isEqualTo(2);
    assertThat(TextReport.render(after)).doesNotContain("of tools that the comparison ignores");
  }

  @Test
  void drift_can_be_accepted_and_more_of_it_not() throws Exception {
    session = record(scope -> {
      scope.context().uuidV4();
      new SampleAgent(2).run(scope);
    });
    ReplayReport before = replay(values(2), OnUnmatched.POSITION, Set.of());
    assertThat(before.divergences()).extracting(ReplayDivergence::kind).containsExactly("DRIFT");

    assertThat(replay(values(2), OnUnmatched.POSITION, all(before)).verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);
    ReplayReport more = replay(values(3), OnUnmatched.POSITION, all(before));
    assertThat(more.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(more.acceptedCount()).isEqualTo(1);
  }

  private static ReplayAgent values(int count) {
    return scope -> {
      for (int i = 0; i < count; i++) {
        scope.context().uuidV4();
      }
      new SampleAgent(2).run(scope);
    };
  }

  private Session record(ReplayAgent agent) throws Exception {
    Path place = directory.resolve("recorded-2");
    try (var recorder = dev.agentreplay.io.recording.SessionRecorder.start(
        place, dev.agentreplay.model.SessionStart.of("values"), SampleAgent.withContext())) {
      agent.run(AgentScope.recording(recorder, new SampleAgent(2).executors()));
    }
    return Session.open(place);
  }

  @Test
  void unused_fingerprints_are_listed() throws Exception {
    ReplayReport before = replay(changed(), OnUnmatched.POSITION, Set.of());
    ContentHash other = ContentHash.sha256(new byte[0]);
    Set<ContentHash> more = new HashSet<>(all(before));
    more.add(other);

    ReplayReport after = replay(changed(), OnUnmatched.POSITION, more);

    assertThat(after.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(after.notFound()).containsExactly(other);
  }

  @Test
  void validation_against_another_session_accepts_but_not_an_invalid_recording() throws Exception {
    Session other = changed().record(directory.resolve("other"));
    SessionDiff diff = SessionDiff.between(session, other);
    Set<ContentHash> all =
        diff.divergences().stream().map(Divergence::fingerprint).collect(Collectors.toSet());

    ReplayReport report = Replay.of(session)
        .against(other)
        .comparison(DiffOptions.defaults().accepting(all))
        .run();

    assertThat(diff.isIdentical()).isFalse();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.acceptedCount()).isEqualTo(all.size());

    java.nio.file.Files.writeString(
        session.log(),
        java.nio.file.Files.readString(session.log()).replace("Fix the login.", "Fix the lagin."));
    Session damaged = Session.open(session.log());
    SessionDiff damagedDiff = SessionDiff.between(damaged, other);
    ReplayReport invalid = Replay.of(damaged)
        .against(other)
        .comparison(DiffOptions.defaults()
            .accepting(damagedDiff.divergences().stream()
                .map(Divergence::fingerprint)
                .collect(Collectors.toSet())))
        .run();

    assertThat(invalid.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(invalid.passes()).isFalse();
  }
}
