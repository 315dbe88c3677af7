package dev.agentreplay.junit;

import static dev.agentreplay.junit.Recordings.call;
import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static dev.agentreplay.junit.ReplayAssertions.assertThatRuns;
import static dev.agentreplay.junit.ReplayAssertions.comparing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of rules next to recordings applies to the tests of these recordings. */
class RecordingRulesTest {

  private static final String OUTPUT = "There are four files in it.";
  private static final String SIMILAR = "There are five files in it.";

  @TempDir
  private Path directory;

  private Path folder;
  private Path place;
  private Session recording;
  private @Nullable Supplier<Path> before;

  @BeforeEach
  void record() throws IOException {
    folder = directory.resolve("recordings");
    place = folder.resolve("group/one");
    recording = session(place, OUTPUT);
    before = RecordingRules.searchUpTo(() -> folder);
  }

  @AfterEach
  void restore() {
    RecordingRules.searchUpTo(before);
  }

  private static Session session(Path directory, String output) throws IOException {
    return Recordings.record(
        directory, recorder -> call(recorder, "x", "read", JsonObject.of("n", 0), output));
  }

  private static Path write(Path directory, String rules) throws IOException {
    return Files.writeString(directory.resolve("replay.rules"), rules);
  }

  @Test
  void fuzzy_test_passes_from_moderate_on_and_fails_below() throws IOException {
    Session actual = session(directory.resolve("actual"), SIMILAR);
    DiffOptions fuzzy = comparing(FuzzyText.atLeast(0.7));

    assertThat(actual).matches(recording, fuzzy.failingFrom(DivergenceSeverity.MODERATE));
    assertThatThrownBy(() -> assertThat(actual).matches(recording, fuzzy))
        .isInstanceOf(SessionMismatchError.class)
        .hasMessageContaining("(minor)")
        .hasMessageNotContaining("rules:    ");
  }

  @Test
  void fuzzy_test_passes_by_the_rules_of_its_folder() throws IOException {
    Session actual = session(directory.resolve("actual"), SIMILAR);
    write(folder, "fuzzy 0.7\nfail-on moderate\n");

    assertThat(actual).matches(recording);
  }

  @Test
  void failure_names_the_files_and_the_command_that_uses_them() throws IOException {
    Session actual = session(directory.resolve("actual"), SIMILAR);
    Path outer = write(folder, "fail-on moderate\n");
    Path inner = write(place, "ignore ids\n");

    assertThatThrownBy(() -> assertThat(actual).matches(recording))
        .isInstanceOf(SessionMismatchError.class)
        .hasMessageContaining("\nrules:    %s, %s\n".formatted(inner, outer))
        .hasMessageContaining("\nto compare them again: replay diff --rules %s --rules %s %s %s\n"
            .formatted(outer, inner, place, directory.resolve("actual")));
    assertThatThrownBy(() -> assertThat(actual).matches(recording, comparing(Ignore.ids())))
        .hasMessageContaining("\nrules:    ")
        .hasMessageNotContaining("to compare them again"); // the command has no rules of the test
  }

  @Test
  void nearer_file_takes_precedence_and_the_test_over_all() throws IOException {
    Session actual = session(directory.resolve("actual"), SIMILAR);
    write(folder, "fuzzy 0.7\nfail-on minor\n");
    write(folder.resolve("group"), "fail-on moderate\n");

    assertThat(actual).matches(recording);
    assertThatThrownBy(() -> assertThat(actual)
            .matches(recording, DiffOptions.defaults().failingFrom(DivergenceSeverity.MINOR)))
        .isInstanceOf(SessionMismatchError.class);
  }

  @Test
  void file_above_the_folder_of_recordings_does_not_apply() throws IOException {
    Session actual = session(directory.resolve("actual"), SIMILAR);
    write(directory, "ignore /output\n");

    assertThatThrownBy(() -> assertThat(actual).matches(recording))
        .isInstanceOf(SessionMismatchError.class);
  }

  @Test
  void recording_in_no_known_folder_has_the_rules_next_to_it() throws IOException {
    Session other = session(directory.resolve("elsewhere/deep/other"), OUTPUT);
    Session actual = session(directory.resolve("actual"), SIMILAR);
    Path far = write(directory.resolve("elsewhere"), "ignore /output\n");

    Path parent = write(directory.resolve("elsewhere/deep"), "ignore /output\n");
    assertThatThrownBy(() -> assertThat(actual).matches(other))
        .isInstanceOf(SessionMismatchError.class);
    Files.delete(far);
    Files.move(parent, directory.resolve("elsewhere/deep/other/replay.rules"));
    assertThat(actual).matches(other);
  }

  static class Reading {

    @Test
    @ReplaySession("group/one")
    void reads(Session recording, SessionRecorder recorder) throws IOException {
      call(recorder, "x", "read", JsonObject.of("n", 0), SIMILAR);
      assertThat(recorder).matches(recording);
    }
  }

  @Test
  void folder_of_recordings_is_that_of_the_test_whatever_ran_before() throws IOException {
    TestRun run = new TestRun(directory);
    Session other = session(directory.resolve("elsewhere/other"), OUTPUT);
    Session actual = session(directory.resolve("actual"), SIMILAR);
    write(directory, "ignore /output\n");
    write(folder.resolve("group"), "ignore ids\n");

    assertThat(TestRun.failures(run.of(Reading.class))).hasSize(1);
    assertThat(TestRun.failures(run.builder(Reading.class)
            .configurationParameter(ReplaySettings.RECORDINGS, directory.toString())
            .execute()))
        .hasSize(1); // no recording directory/group/one
    for (Session each : List.of(other, recording)) {
      assertThatThrownBy(() -> assertThat(actual).matches(each))
          .isInstanceOf(SessionMismatchError.class);
    }
    RecordingRules.searchUpTo(() -> directory);
    assertThat(actual).matches(other).matches(recording);
    assertThat(TestRun.failures(run.of(Reading.class))).hasSize(1);
    write(folder, "ignore /output\n");
    RecordingRules.searchUpTo(null);
    assertThat(TestRun.failures(run.of(Reading.class))).isEmpty();
  }

  @Test
  void nearer_rule_decides_where_the_first_one_does() throws IOException {
    List<JsonObject> items =
        List.of(JsonObject.of("id", 1, "name", "a"), JsonObject.of("id", 2, "name", "b"));
    List<JsonObject> others =
        List.of(JsonObject.of("id", 2, "name", "a"), JsonObject.of("id", 1, "name", "b"));
    Session listed = listing(folder.resolve("group/list"), items);
    Session actual = listing(directory.resolve("actual"), others);
    write(folder, "unordered /output/items=id\ntolerance /output/items/*/id=1\n");

    assertThatThrownBy(() -> assertThat(actual).matches(listed))
        .isInstanceOf(SessionMismatchError.class);
    assertThat(actual)
        .matches(listed, comparing(UnorderedArray.at("/output/items").keyedBy("name")));
    write(folder.resolve("group"), "unordered /output/items=name\n");
    assertThat(actual).matches(listed);
  }

  private static Session listing(Path directory, List<JsonObject> items) throws IOException {
    return Recordings.record(
        directory,
        recorder -> call(recorder, "x", "list", JsonObject.EMPTY, JsonObject.of("items", items)));
  }

  @Test
  void rules_of_the_folder_apply_to_runs() throws IOException {
    Session first = session(directory.resolve("first"), OUTPUT);
    Session second = session(directory.resolve("second"), SIMILAR);

    assertThatThrownBy(() -> assertThatRuns(first, second).agree())
        .isInstanceOf(AssertionError.class);
    Path file = write(folder, "fuzzy 0.7\n");
    assertThatThrownBy(() -> assertThatRuns(first, second).agree())
        .hasMessageContaining("(minor)")
        .hasMessageEndingWith("\nrules:    " + file);
    write(folder, "fuzzy 0.7\nfail-on moderate\n");
    assertThatRuns(first, second).agree().agreeInAtLeast(1);
    write(folder, "fuzy 0.7\n");
    assertThatThrownBy(() -> assertThatRuns(first, second).agree())
        .hasMessageStartingWith("the rules cannot be read: " + file + ": line 1: ");
  }

  @Test
  void file_that_is_wrong_fails_the_test_with_its_line() throws IOException {
    Session actual = session(directory.resolve("actual"), OUTPUT);
    Path file = write(folder, "# rules\n\nignor ids\n");

    assertThatThrownBy(() -> assertThat(actual).matches(recording))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("the rules cannot be read: " + file + ": line 3: expected ignore")
        .hasMessageEndingWith("found \"ignor\"; did you mean 'ignore'?");
  }

  @Test
  void file_in_a_recording_does_not_belong_to_the_session() throws IOException {
    write(place, "ignore ids\n");
    write(folder, "ignore ids\n");

    assertThat(Sessions.find(folder)).extracting(SessionLocation::path).containsExactly(place);
    Replays.verify(folder);
    assertThat(Session.open(place)).isVerified();
  }

  static class Replaying {

    @BeforeReplay
    static void configure(Replay replay) {
      replay.comparison(comparing(Ignore.ids()));
    }

    @Test
    @ReplaySession(value = "reads", mode = ReplayMode.MOCK)
    void reads(AgentScope scope) throws Exception {
      scope.call("read", Map.of("n", 1));
    }
  }

  @Test
  void requests_of_a_replay_match_by_the_rules_too() throws IOException {
    TestRun run = new TestRun(directory);
    try (SessionRecorder recorder =
        SessionRecorder.start(run.recordings().resolve("reads"), "reads")) {
      recorder.call("read", JsonObject.of("n", 0)).result("a");
      recorder.end(dev.agentreplay.model.Status.SUCCESS, 1);
    }

    Path file = write(run.recordings(), "fuzzy 0.9\n");
    List<Throwable> failures = TestRun.failures(run.of(Replaying.class));
    assertThat(failures).hasSize(1);
    assertThat(failures.get(0))
        .hasMessageContaining("\nrules:    " + file + "\n")
        .hasMessageContaining("/params/n");

    write(run.recordings(), "tolerance /params/n=1\n");
    assertThat(TestRun.failures(run.of(Replaying.class))).isEmpty();
  }
}
