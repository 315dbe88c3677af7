package dev.agentreplay.engine.diff;

import static dev.agentreplay.engine.diff.TestCalls.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.TestCalls.TestCall;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.value.JsonPatches;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions whose tools return JSON as text, compared under rules with pointers into it. */
class JsonInTextSessionsTest {

  private static final TestCall BEFORE =
      call("load", JsonObject.of("q", "{\"seed\":1}"), "{\"ok\":true,\"load\":0.93}");
  private static final TestCall AFTER =
      call("load", JsonObject.of("q", "{\"seed\":2}"), "{ \"ok\":true, \"load\":0.95}");

  @TempDir
  private Path directory;

  private Session session(String name, TestCall... calls) throws IOException {
    return TestCalls.write(directory.resolve(name + ".jsonl"), List.of(calls));
  }

  private SessionDiff diff(TestCall left, TestCall right, ComparisonRule... rules)
      throws IOException {
    return SessionDiff.between(
        session("left", left), session("right", right), DiffOptions.defaults().plus(rules));
  }

  @Test
  void sessions_are_identical_under_rules_for_all_that_differs_in_their_texts() throws IOException {
    Ignore seed = Ignore.at("/params/q/seed");

    assertThat(diff(BEFORE, AFTER).isIdentical()).isFalse();
    assertThat(diff(BEFORE, AFTER, seed).isIdentical()).isFalse();
    assertThat(diff(BEFORE, AFTER, seed, Ignore.at("/output/load")).isIdentical())
        .isTrue();
    SessionDiff tolerant = diff(BEFORE, AFTER, seed, Tolerance.parse("/output/load=2%"));
    assertThat(tolerant.isIdentical()).isFalse();
    tolerant = diff(BEFORE, AFTER, seed, Tolerance.parse("/output/load=3%"));
    assertThat(tolerant.isIdentical()).isTrue();
    assertThat(tolerant.rules())
        .containsExactly(
            TestResults.appliedRule("ignore /params/q/seed", 1, 1),
            TestResults.appliedRule("tolerance /output/load 3%", 1, 1));
  }

  @Test
  void tolerance_alone_reaches_into_a_text() throws IOException {
    assertThat(diff(BEFORE, BEFORE.withOutput(AFTER.output()), Tolerance.parse("/output/load=3%"))
            .isIdentical())
        .isTrue();
  }

  @Test
  void rule_that_selects_something_in_one_text_only_is_counted_on_its_side() throws IOException {
    SessionDiff diff = diff(
        BEFORE, BEFORE.withOutput("{\"ok\":true}"), Ignore.at("/output/load"), Ignore.at("/a/b"));

    assertThat(diff.isIdentical()).isTrue();
    assertThat(diff.alignment()).extracting(AlignedStep::relation).containsOnly(Relation.MATCHED);
    assertThat(diff.rules())
        .containsExactly(
            TestResults.appliedRule("ignore /output/load", 1, 0),
            TestResults.appliedRule("ignore /a/b", 0, 0));
  }

  @Test
  void patch_of_a_place_in_a_text_replaces_the_text_in_the_left_line() throws IOException {
    TestCall other = BEFORE.withOutput("{\"ok\":false,\"load\":0.95}");
    Session left = session("left", BEFORE);
    Session right = session("right", other);
    SessionDiff diff =
        SessionDiff.between(left, right, DiffOptions.defaults().plus(Ignore.at("/output/load")));

    EventChange change = diff.divergences().get(0).changes().get(0);
    assertThat(change.values()).extracting(ValueChange::pointer).containsExactly("/output/ok");
    assertThat(change.patch())
        .contains(JsonObject.of("op", "replace", "path", "/output", "value", other.output()));
    assertThat(JsonPatches.apply(change.patch(), line(left, change.left())))
        .isEqualTo(line(right, change.right()));
  }

  @Test
  void moved_step_is_recognized_by_the_value_in_its_text() throws IOException {
    Session left = session("left", BEFORE, call("a", 1, "x"), call("b", 1, "y"));
    Session right = session("right", call("a", 1, "x"), call("b", 1, "y"), AFTER);
    SessionDiff diff = SessionDiff.between(
        left,
        right,
        DiffOptions.defaults().plus(Ignore.at("/params/q/seed"), Ignore.at("/**/load")));

    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.MOVED);
  }

  private static JsonValue line(Session session, EventChange.Event event) throws IOException {
    return JsonText.parse(Files.readAllLines(session.log()).get((int) event.line() - 1));
  }
}
