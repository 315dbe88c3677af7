package dev.agentreplay.engine.accept;

import static dev.agentreplay.engine.published.TestCopies.WITHHOLD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.agreement.Stability;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.published.TestCopies;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.report.DiffJson;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.engine.report.JUnitReport;
import dev.agentreplay.engine.report.MarkdownReport;
import dev.agentreplay.engine.report.RunJson;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports say what was accepted, in each form. */
class AcceptedReportsTest {

  private static final LocalDate DAY = LocalDate.parse("2026-06-01");

  @TempDir
  private Path directory;

  private Session recording;
  private Session run;
  private List<Proposal> proposals;

  @BeforeEach
  void write() throws IOException {
    recording = TestPair.ids(0)
        .call("load", Map.of(), 1)
        .call("list", Map.of(), List.of("a"))
        .write(directory.resolve("recording"));
    run = TestPair.ids(9)
        .call("load", Map.of(), 2)
        .call("list", Map.of(), List.of("a"))
        .call("more", Map.of(), 3)
        .write(directory.resolve("run"));
    proposals = Proposal.of(SessionDiff.between(recording, run));
    assertThat(proposals).hasSize(2);
  }

  private static DiffOptions accepting(List<Proposal> accepted) {
    return DiffOptions.defaults()
        .accepting(Set.copyOf(accepted.stream().map(Proposal::fingerprint).toList()));
  }

  @Test
  void comparison_says_how_many_are_accepted() throws IOException {
    SessionDiff all = SessionDiff.between(recording, run, accepting(proposals));
    SessionDiff one = SessionDiff.between(recording, run, accepting(proposals.subList(0, 1)));

    assertThat(TextReport.render(all))
        .startsWith("identical, but 2 accepted  2 calls")
        .contains("\n  2 accepted, not listed; --full lists them\n");
    assertThat(TextReport.render(all, TextOptions.defaults().withFull(true)))
        .contains("1. OUTPUT  load  none", "rule: accepted");
    assertThat(TextReport.render(one))
        .startsWith("diverged at call #2: more was added")
        .contains("\n  1 accepted, not listed; --full lists them\n");
    assertThat(MarkdownReport.render(all))
        .startsWith("**Identical, but 2 accepted**")
        .contains("| 1 | OUTPUT | accepted |", "| 2 | ADDED | accepted |");
    assertThat(JUnitReport.render(all))
        .contains("failures=\"0\"", "<property name=\"accepted\" value=\"2\"/>");
    assertThat(JUnitReport.render(one)).contains("failures=\"1\"");
    JsonObject json = DiffJson.render(one);
    assertThat(json.at("/verdict").asString()).isEqualTo("diverged");
    assertThat(json.at("/accepted/divergences").asLong()).isEqualTo(1);
    assertThat(json.at("/divergences/0/accepted_severity").asString()).isEqualTo("moderate");
    assertThat(json.at("/divergences/1").asObject().has("accepted_severity")).isFalse();
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    HtmlViewer.render(all, recording, run, page);
    assertThat(page.toString(StandardCharsets.UTF_8))
        .contains("\"accepted\":{\"divergences\":2,\"unused\":[]}", "but ${number.format(diff.acc");
  }

  @Test
  void replay_says_how_many_are_accepted() throws Exception {
    ReplayReport report =
        Replay.of(recording).against(run).comparison(accepting(proposals)).run();

    assertThat(TextReport.render(report))
        .startsWith("identical, but 2 accepted  verified")
        .contains("accepted    1 ADDED, 1 OUTPUT");
    assertThat(MarkdownReport.render(report)).startsWith("**Identical, but 2 accepted**");
    assertThat(JUnitReport.render(report))
        .contains(
            "<property name=\"verdict\" value=\"identical\"/>",
            "<property name=\"accepted\" value=\"1 ADDED, 1 OUTPUT\"/>",
            "failures=\"0\" errors=\"0\"");
    JsonArray divergences = RunJson.render(report).at("/divergences").asArray();
    assertThat(divergences.size()).isEqualTo(2);
    assertThat(divergences.get(1).at("/number").asLong()).isEqualTo(1);
    assertThat(divergences.get(1).at("/severity").asString()).isEqualTo("none");
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    HtmlViewer.render(report, recording, run, page);
    assertThat(page.toString(StandardCharsets.UTF_8)).contains("\"accepted\":2");
  }

  @Test
  void runs_agree_in_what_is_accepted() throws IOException {
    SessionDiff accepted = SessionDiff.between(recording, run, accepting(proposals));
    SessionDiff plain = SessionDiff.between(recording, run);

    assertThat(FlakinessReport.of(List.of(accepted, accepted)).verdict())
        .isEqualTo(Stability.STABLE);
    assertThat(FlakinessReport.of(List.of(plain, plain)).verdict()).isEqualTo(Stability.REGRESSION);
  }

  @Test
  void what_the_comparison_fails_on_is_not_changed() throws IOException {
    DiffOptions lenient = DiffOptions.defaults().failingFrom(DivergenceSeverity.MAJOR);
    SessionDiff diff = SessionDiff.between(
        recording, run, lenient.accepting(accepting(proposals.subList(1, 2)).accepted()));

    assertThat(diff.isIdentical()).isFalse();
    assertThat(diff.passes()).isTrue();
  }

  @Test
  void notes_name_what_expired_and_what_is_unused() throws IOException {
    ContentHash root = AcceptedDivergences.treeRoot(recording);
    AcceptedDivergence expired = proposals
        .get(0)
        .accepted("old \u001b[31m reason", null, Instant.EPOCH, LocalDate.parse("2026-05-31"));
    AcceptedDivergence today =
        proposals.get(1).accepted("new", "ada", Instant.EPOCH, LocalDate.parse("2026-06-01"));
    AcceptedDivergences all = AcceptedDivergences.none(root).with(List.of(expired, today));
    Path file = Path.of("ACCEPTED.json");

    Acceptance acceptance = Acceptance.of(all, file, root, DAY);

    assertThat(acceptance.fault()).isNull();
    assertThat(acceptance.applyTo(DiffOptions.defaults()).accepted())
        .containsExactly(today.fingerprint());
    assertThat(acceptance.expired()).containsExactly(expired);
    SessionDiff diff =
        SessionDiff.between(recording, run, acceptance.applyTo(DiffOptions.defaults()));
    assertThat(acceptance.unused(List.of(diff))).isEmpty();
    assertThat(acceptance.notes(List.of(diff)))
        .singleElement()
        .asString()
        .startsWith(
            "accepted until 2026-05-31, and not any more: OUTPUT of call load, line 4 (old ")
        .doesNotContain("\u001b");
    SessionDiff same =
        SessionDiff.between(recording, recording, acceptance.applyTo(DiffOptions.defaults()));
    assertThat(acceptance.unused(List.of(same))).containsExactly(today);
    assertThat(acceptance.notes(List.of(same)))
        .last()
        .asString()
        .isEqualTo("accepted, but not found: ADDED of call more (new);"
            + " its entry in ACCEPTED.json can be removed");

    assertThat(acceptance.unused(List.of(same, diff))).as("found in one of two").isEmpty();

    Acceptance foreign = Acceptance.of(all, file, ContentHash.sha256(new byte[0]), DAY);
    assertThat(foreign.fault())
        .startsWith("ACCEPTED.json belongs to a different recording, and does not apply")
        .endsWith("; delete it, and accept the divergences of this recording again");
    assertThat(foreign.applyTo(DiffOptions.defaults()).accepted()).isEmpty();
    assertThat(foreign.notes(List.of(diff))).containsExactly(foreign.fault());
    assertThat(Acceptance.read(recording, DAY).notes(List.of(diff)))
        .as("no file")
        .isEmpty();
  }

  @Test
  void notes_of_several_replays_name_what_none_of_them_has() throws Exception {
    ContentHash root = AcceptedDivergences.treeRoot(recording);
    AcceptedDivergences all = AcceptedDivergences.none(root)
        .with(List.of(proposals.get(0).accepted("new", null, Instant.EPOCH, null)));
    Acceptance acceptance = Acceptance.of(all, Path.of("ACCEPTED.json"), root, DAY);
    DiffOptions options = acceptance.applyTo(DiffOptions.defaults());
    ReplayReport found = Replay.of(recording).against(run).comparison(options).run();
    ReplayReport same =
        Replay.of(recording).against(recording).comparison(options).run();
    ReplayReport stopped = Replay.of(recording)
        .mode(ReplayMode.MOCK)
        .comparison(options)
        .run(scope -> scope.call("unknown", Map.of()));
    assertThat(stopped.isStopped()).isTrue();

    assertThat(acceptance.notesOfReplays(List.of(same, same)))
        .containsExactly("accepted, but not found: OUTPUT of call load, line 4 (new);"
            + " its entry in ACCEPTED.json can be removed");
    assertThat(acceptance.unusedInReplays(List.of(same))).isEqualTo(all.all());
    assertThat(acceptance.notesOfReplays(List.of(same, found))).isEmpty();
    assertThat(acceptance.notesOfReplays(List.of(same, stopped))).isEmpty();
  }

  @Test
  void report_as_json_leaves_out_the_places_that_a_copy_withholds() throws IOException {
    Session first = TestPair.ids(0)
        .call("load", Map.of(), Map.of("a", 1, "b", 2))
        .write(directory.resolve("first"));
    Session copy = TestCopies.publish(
        first, directory.resolve("copy.jsonl"), "public", Map.of("4/output/a", WITHHOLD));
    Session later = TestPair.ids(0)
        .call("load", Map.of(), Map.of("a", 1, "b", 3))
        .write(directory.resolve("later"));

    SessionDiff diff = SessionDiff.between(copy, later);

    assertThat(diff.divergences().get(0).values())
        .extracting(ValueChange::pointer)
        .contains("/output/a", "/output/b");
    assertThat(Proposal.of(diff))
        .singleElement()
        .extracting(Proposal::pointers)
        .isEqualTo(List.of("/output/b"));
    assertThat(AcceptableReport.parse(DiffJson.render(diff)).proposals())
        .isEqualTo(Proposal.of(diff));
  }

  @Test
  void report_as_json_has_the_same_proposals() throws Exception {
    SessionDiff diff = SessionDiff.between(recording, run);
    ReplayReport report = Replay.of(recording).against(run).run();

    assertThat(AcceptableReport.parse(DiffJson.render(diff)).proposals()).isEqualTo(proposals);
    assertThat(AcceptableReport.parse(RunJson.render(report)).proposals()).isEqualTo(proposals);
    assertThat(Proposal.of(report)).isEqualTo(proposals);
    SessionDiff half = SessionDiff.between(recording, run, accepting(proposals.subList(0, 1)));
    assertThat(AcceptableReport.parse(DiffJson.render(half)).proposals())
        .containsExactly(proposals.get(1));
  }
}
