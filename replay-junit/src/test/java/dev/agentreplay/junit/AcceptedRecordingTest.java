package dev.agentreplay.junit;

import static dev.agentreplay.junit.Recordings.call;
import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static dev.agentreplay.junit.ReplayAssertions.assertThatRuns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.accept.AcceptedDivergence;
import dev.agentreplay.engine.accept.AcceptedDivergences;
import dev.agentreplay.engine.accept.Proposal;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The accepted divergences of a recording do not fail the tests that use it. */
class AcceptedRecordingTest {

  @TempDir
  private Path directory;

  private Session recording;

  @BeforeEach
  void record() throws IOException {
    recording = session("recording", "three files");
  }

  @AfterEach
  void restore() {
    System.clearProperty(ReplaySettings.ACCEPTED);
  }

  private Session session(String name, String output) throws IOException {
    return Recordings.record(
        directory.resolve(name),
        recorder -> call(recorder, "x", "read", JsonObject.of("n", 0), output));
  }

  private static void accept(Session recording, List<Proposal> proposals, @Nullable String expires)
      throws IOException {
    List<AcceptedDivergence> entries = new ArrayList<>();
    for (Proposal each : proposals) {
      entries.add(each.accepted(
          "there are more",
          "ada",
          Instant.EPOCH,
          expires == null ? null : LocalDate.parse(expires)));
    }
    AcceptedDivergences.none(AcceptedDivergences.treeRoot(recording))
        .with(entries)
        .write(AcceptedDivergences.file(recording));
  }

  private void accept(Session actual, @Nullable String expires) throws IOException {
    accept(recording, Proposal.of(SessionDiff.between(recording, actual)), expires);
  }

  @Test
  void accepted_difference_passes_and_a_different_one_does_not() throws IOException {
    Session four = session("four", "four files");
    Session five = session("five", "five files");
    assertThatThrownBy(() -> assertThat(four).matches(recording))
        .isInstanceOf(SessionMismatchError.class);

    accept(four, null);

    assertThat(four).matches(recording);
    assertThatThrownBy(() -> assertThat(five).matches(recording))
        .isInstanceOf(SessionMismatchError.class)
        .hasMessageContaining("\nnote:     accepted, but not found: OUTPUT of call read, line 4");
  }

  @Test
  void expired_entry_fails_with_a_note() throws IOException {
    Session four = session("four", "four files");
    accept(four, "2020-01-31");

    assertThatThrownBy(() -> assertThat(four).matches(recording))
        .isInstanceOf(SessionMismatchError.class)
        .hasMessageContaining("\nnote:     accepted until 2020-01-31, and not any more: OUTPUT of");
  }

  @Test
  void expired_entry_fails_if_requested_also_if_what_differs_is_gone() throws IOException {
    Session four = session("four", "four files");
    Session same = session("same", "three files");
    DiffOptions lenient = DiffOptions.defaults().failingFrom(DivergenceSeverity.MAJOR);
    String note = "\nnote:     accepted until 2020-01-31, and not any more: OUTPUT of";
    accept(four, "2020-01-31");

    assertThat(same).matches(recording);
    assertThat(four).matches(recording, lenient);
    assertThatRuns(recording, same).agree();
    System.setProperty(ReplaySettings.ACCEPTED, "fail");

    assertThatThrownBy(() -> assertThat(same).matches(recording))
        .isInstanceOf(AssertionError.class)
        .isNotInstanceOf(SessionMismatchError.class)
        .hasMessageContaining("1 accepted divergence expired" + note);
    assertThatThrownBy(() -> assertThat(four).matches(recording, lenient))
        .isNotInstanceOf(SessionMismatchError.class)
        .hasMessageContaining("1 accepted divergence expired" + note);
    assertThatThrownBy(() -> assertThat(four).matches(recording))
        .isInstanceOf(SessionMismatchError.class)
        .hasMessageContaining(note);
    assertThatThrownBy(() -> assertThatRuns(recording, same).agree())
        .hasMessageContaining("1 accepted divergence expired" + note);
  }

  @Test
  void failure_of_runs_has_the_notes() throws IOException {
    Session four = session("four", "four files");
    Session five = session("five", "five files");
    accept(four, null);
    String note = "\nnote:     accepted, but not found: OUTPUT of call read, line 4";

    assertThatThrownBy(() -> assertThatRuns(recording, five).agree())
        .hasMessageContaining("the runs do not agree")
        .hasMessageContaining(note);
    assertThatThrownBy(() -> assertThatRuns(recording, five).agreeInAtLeast(1.0))
        .hasMessageContaining("the runs agree too little")
        .hasMessageContaining(note);
    assertThatThrownBy(() -> assertThatRuns(recording, four, five).agree())
        .hasMessageContaining("the runs do not agree")
        .hasMessageNotContaining("note:");
  }

  @Test
  void unused_entry_is_a_note_or_a_failure_if_requested() throws IOException {
    accept(session("four", "four files"), null);
    Session same = session("same", "three files");

    assertThat(same).matches(recording);
    System.setProperty(ReplaySettings.ACCEPTED, "fail");

    assertThatThrownBy(() -> assertThat(same).matches(recording))
        .isInstanceOf(AssertionError.class)
        .isNotInstanceOf(SessionMismatchError.class)
        .hasMessageContaining("1 accepted divergence not found")
        .hasMessageContaining("OUTPUT of call read, line 4 (there are more)");
    assertThatThrownBy(() -> assertThatRuns(recording, same).agree())
        .hasMessageContaining("1 accepted divergence not found");
  }

  @Test
  void property_ignores_the_file_or_is_refused() throws IOException {
    Session four = session("four", "four files");
    accept(four, null);

    System.setProperty(ReplaySettings.ACCEPTED, "none");
    assertThatThrownBy(() -> assertThat(four).matches(recording))
        .isInstanceOf(SessionMismatchError.class);
    System.setProperty(ReplaySettings.ACCEPTED, "maybe");
    assertThatThrownBy(() -> assertThat(four).matches(recording))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("replay.accepted: expected one of report, fail, none, found \"maybe\"");
  }

  @Test
  void file_of_a_different_recording_does_not_apply() throws IOException {
    Session four = session("four", "four files");
    Session other = session("other", "three files");
    accept(other, Proposal.of(SessionDiff.between(other, four)), null);
    Files.copy(AcceptedDivergences.file(other), AcceptedDivergences.file(recording));

    assertThatThrownBy(() -> assertThat(four).matches(recording))
        .isInstanceOf(SessionMismatchError.class)
        .hasMessageContaining("belongs to a different recording, and does not apply");
    System.setProperty(ReplaySettings.ACCEPTED, "fail");
    Session same = session("same", "three files");
    assertThatThrownBy(() -> assertThat(same).matches(recording))
        .hasMessageContaining("the accepted divergences are those of a different recording");
  }

  @Test
  void malformed_file_fails_the_test() throws IOException {
    Files.writeString(AcceptedDivergences.file(recording), "{}");
    Session same = session("same", "three files");

    assertThatThrownBy(() -> assertThat(same).matches(recording))
        .hasMessageContaining("ACCEPTED.json: /schema: must be \"replay.accepted/1\"");
  }

  @Test
  void runs_agree_if_what_differs_is_accepted() throws IOException {
    Session four = session("four", "four files");
    assertThatThrownBy(() -> assertThatRuns(recording, four).agree())
        .isInstanceOf(AssertionError.class);

    accept(four, null);

    assertThatRuns(recording, four).agree();
    assertThatRuns(recording, four).agreeInAtLeast(1.0);
  }

  @Test
  void replay_passes_if_what_differs_is_accepted() throws Exception {
    TestRun run = new TestRun(directory.resolve("run"));
    Path place = ReviewAgent.record(run.recordings().resolve("reviews"));
    assertThat(TestRun.failures(run.of(ChangedReview.class))).hasSize(1);
    Session reviews = Session.open(place);
    ReplayReport report = Replay.of(reviews)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.POSITION)
        .run(scope -> ReviewAgent.review(scope, "b.txt"));

    accept(reviews, Proposal.of(report), null);

    assertThat(TestRun.failures(run.of(ChangedReview.class))).isEmpty();
    System.setProperty(ReplaySettings.ACCEPTED, "fail");
    assertThat(TestRun.failures(run.of(ChangedReview.class))).isEmpty();
    assertThat(TestRun.failures(run.of(SameReview.class)))
        .singleElement()
        .satisfies(failure -> assertThat(failure)
            .hasMessageContaining("1 accepted divergence not found")
            .hasMessageContaining("recorded: "));
  }

  static class ChangedReview {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK, onUnmatched = OnUnmatched.POSITION)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope, "b.txt");
    }
  }

  static class SameReview {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }
  }

  @Test
  void new_recording_sets_the_file_of_the_old_one_aside() throws IOException {
    accept(session("four", "four files"), null);
    Path from = directory.resolve("received");
    session("received", "five files");

    SessionFolder.move(from, recording.directory());

    assertThat(AcceptedDivergences.file(recording)).doesNotExist();
    assertThat(recording.directory().resolve("ACCEPTED.json.replaced")).exists();
    assertThat(session("five", "five files")).matches(Session.open(recording.directory()));
  }
}
