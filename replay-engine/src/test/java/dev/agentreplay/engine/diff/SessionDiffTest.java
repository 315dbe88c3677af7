package dev.agentreplay.engine.diff;

import static dev.agentreplay.engine.diff.TestCalls.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.diff.TestCalls.TestCall;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.alignment.Alignment;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Differences of two sessions, case by case. */
class SessionDiffTest {

  private static final TestCall A = call("a", JsonObject.of("x", 1), "a out");
  private static final TestCall B = call("b", JsonObject.of("x", 2), "b out");
  private static final TestCall C = call("c", JsonObject.of("x", 3), "c out");

  @TempDir
  private Path directory;

  @Test
  void equal_calls_are_identical() throws IOException {
    SessionDiff diff = diff(List.of(A, B, A), List.of(A, B, A));
    assertThat(diff.summary().calls()).isEqualTo(counts(3, 3, 3, 0, 0, 0));
    assertThat(diff.first()).isNull();
    assertThat(diff.divergences()).isEmpty();
    assertThat(diff.similarity()).isEqualTo(100);
    assertThat(diff.isIdentical()).isTrue();
  }

  @Test
  void hash_is_that_of_the_logs_canonicalization() throws IOException {
    JsonValue output = JsonArray.of(0.000001);
    String value = CanonicalJson.JCS.text(output);
    String hash = CanonicalJson.JCS.hash(output).toString();
    Session withValue = jcsLog("a", "\"output\":" + value + ",\"output_hash\":\"" + hash + "\"");
    Session withHash = jcsLog("b", "\"output_hash\":\"" + hash + "\"");

    assertThat(SessionDiff.between(withValue, withHash).isIdentical()).isTrue();
    assertThat(
            SessionDiff.between(withValue, jcsLog("c", "\"output\":[0.000002]")).isIdentical())
        .isFalse();
  }

  @Test
  void integers_that_jcs_would_round_are_not_equal() throws IOException {
    Session one = jcsLog("a", "\"output\":9007199254740993");
    Session other = jcsLog("b", "\"output\":9007199254740995");

    assertThat(SessionDiff.between(one, other).isIdentical()).isFalse();
    assertThat(SessionDiff.between(one, one).isIdentical()).isTrue();
  }

  private Session jcsLog(String name, String output) throws IOException {
    Path log = directory.resolve(name + ".jsonl");
    Files.writeString(
        log,
        "{\"canonicalization\":\"jcs\",\"event\":\"ReplayHeader\",\"replay_version\":1}\n"
            + "{\"event\":\"ToolCall\",\"id\":\"x\",\"params\":{},\"tool\":\"t\"}\n"
            + "{\"event\":\"ToolResult\",\"id\":\"x\"," + output + "}\n");
    return Session.open(log);
  }

  @Test
  void sessions_without_calls_are_identical() throws IOException {
    Session ended =
        new TestLog().add(SessionEnd.of(Status.SUCCESS)).write(directory.resolve("ended"));
    SessionDiff diff = SessionDiff.between(ended, ended);
    assertThat(diff.summary().calls()).isEqualTo(counts(0, 0, 0, 0, 0, 0));
    assertThat(diff.isIdentical()).isTrue();
    assertThat(diff(List.of(), List.of(A)).summary().calls()).isEqualTo(counts(0, 1, 0, 0, 0, 1));
    assertThat(diff(List.of(A), List.of()).summary().calls()).isEqualTo(counts(1, 0, 0, 0, 1, 0));
  }

  @Test
  void inserted_call_is_one_divergence() throws IOException {
    SessionDiff diff = diff(List.of(A, C), List.of(A, B, C));

    assertThat(diff.summary().calls()).isEqualTo(counts(2, 3, 2, 0, 0, 1));
    assertThat(diff.first()).isEqualTo(TestResults.first(1, DivergenceKind.ADDED));
    Divergence added = only(diff);
    assertThat(added.kind()).isEqualTo(DivergenceKind.ADDED);
    assertThat(added.role()).isEqualTo(Role.ROOT);
    assertThat(added.left()).isNull();
    assertPlace(added.right(), 4, 1, "b");
    assertThat(added.firstChange()).isNull();
    assertThat(added.changes()).as("the call and its result").hasSize(2);
    assertThat(added.changes().get(0).patch().get(0).at("/value/tool").asString())
        .isEqualTo("b");
    assertThat(added.changes().get(1).right().json().at("/output").asString()).isEqualTo("b out");
  }

  @Test
  void removed_call_is_one_divergence() throws IOException {
    SessionDiff diff = diff(List.of(A, B, C), List.of(A, C));

    assertThat(diff.summary().calls()).isEqualTo(counts(3, 2, 2, 0, 1, 0));
    assertThat(diff.first()).isEqualTo(TestResults.first(1, DivergenceKind.MISSING));
    Divergence missing = only(diff);
    assertPlace(missing.left(), 4, 1, "b");
    assertThat(missing.right()).isNull();
    EventChange call = missing.changes().get(0);
    assertThat(call.left().json().at("/tool").asString()).isEqualTo("b");
    assertThat(call.right()).isNull();
    assertThat(call.patch().get(0).at("/op").asString()).isEqualTo("test");
    assertThat(call.patch().get(1))
        .isEqualTo(JsonObject.of("op", "replace", "path", "", "value", null));
  }

  @Test
  void other_parameters_are_a_change() throws IOException {
    SessionDiff diff = diff(List.of(A, B, C), List.of(A, B.withParams(JsonObject.of("x", 9)), C));

    assertThat(diff.summary().calls()).isEqualTo(counts(3, 3, 2, 1, 0, 0));
    assertThat(diff.first()).isEqualTo(TestResults.first(1, DivergenceKind.PARAMS));
    Divergence changed = only(diff);
    assertThat(changed.kind()).isEqualTo(DivergenceKind.PARAMS);
    assertPlace(changed.left(), 4, 1, "b");
    assertPlace(changed.right(), 4, 1, "b");
    assertChange(changed, "/params/x", JsonValue.of(2), JsonValue.of(9));
    JsonArray patch = changed.changes().get(0).patch();
    assertThat(patch.get(0))
        .isEqualTo(JsonObject.of("op", "replace", "path", "/params/x", "value", 9));
    assertThat(patch.get(1).at("/path").asString()).isEqualTo("/params_hash");
  }

  @Test
  void other_output_is_a_change_in_the_result() throws IOException {
    SessionDiff diff = diff(List.of(A, B), List.of(A, B.withOutput("other")));

    assertThat(diff.summary().calls()).isEqualTo(counts(2, 2, 1, 1, 0, 0));
    assertThat(diff.first()).isEqualTo(TestResults.first(1, DivergenceKind.OUTPUT));
    Divergence changed = only(diff);
    assertThat(changed.changes().get(0).left().line())
        .as("the line of the result")
        .isEqualTo(5);
    assertChange(changed, "/output", JsonValue.of("b out"), JsonValue.of("other"));
  }

  @Test
  void other_tool_is_a_change() throws IOException {
    SessionDiff diff = diff(List.of(A, B, C), List.of(A, call("d", 4, 5), C));

    assertThat(diff.summary().calls()).isEqualTo(counts(3, 3, 2, 1, 0, 0));
    assertThat(only(diff).kind()).isEqualTo(DivergenceKind.TOOL);
    assertChange(only(diff), "/tool", JsonValue.of("b"), JsonValue.of("d"));
  }

  @Test
  void swapped_calls_are_one_that_was_moved() throws IOException {
    SessionDiff diff = diff(List.of(A, B, C), List.of(B, A, C));
    assertThat(diff.summary().calls()).isEqualTo(TestResults.stepCounts(3, 3, 2, 1, 1, 0, 0));
    assertThat(diff.first()).isEqualTo(TestResults.first(0, DivergenceKind.MOVED));
    assertThat(only(diff).changes()).isEmpty();
  }

  @Test
  void duplicated_call_is_added() throws IOException {
    SessionDiff diff = diff(List.of(A, B), List.of(A, A, A, B));
    assertThat(diff.summary().calls()).isEqualTo(counts(2, 4, 2, 0, 0, 2));
    assertThat(diff.first()).isEqualTo(TestResults.first(1, DivergenceKind.ADDED));
  }

  @Test
  void ids_are_not_compared() throws IOException {
    List<TestCall> renamed = new ArrayList<>();
    for (TestCall call : List.of(A, B)) {
      renamed.add(new TestCall("other-" + call.tool(), call.tool(), call.params(), call.output()));
    }
    assertThat(diff(List.of(A, B), renamed).isIdentical()).isTrue();
  }

  @Test
  void outputs_of_one_id_belong_to_its_calls_in_turn() throws IOException {
    TestCall later = A.withOutput("other out");
    SessionDiff diff = diff(List.of(A, later), List.of(later, A));
    assertThat(diff.summary().calls()).isEqualTo(TestResults.stepCounts(2, 2, 1, 1, 1, 0, 0));
    diff = diff(List.of(A, B, A), List.of(A, B, later));
    assertThat(diff.summary().calls()).isEqualTo(counts(3, 3, 2, 1, 0, 0));
    assertPlace(only(diff).left(), 6, 2, "a");
    assertThat(only(diff).changes().get(0).left().line()).isEqualTo(7);
  }

  @Test
  void outputs_of_one_id_that_is_open_twice_belong_to_its_calls_in_turn() throws IOException {
    Session together = TestCalls.write(directory.resolve("together"), List.of());
    Session apart = TestCalls.write(directory.resolve("apart"), List.of(A, B));
    List<String> lines = Files.readAllLines(apart.log());
    Files.write(
        together.log(),
        List.of(lines.get(0), lines.get(1), lines.get(3), lines.get(2), lines.get(4)));

    assertThat(SessionDiff.between(apart, together).isIdentical()).isTrue();
  }

  @Test
  void unanswered_call_differs_from_an_answered_one_in_its_output() throws IOException {
    TestCall open = new TestCall("open", "b", B.params(), null);
    SessionDiff diff = diff(List.of(A, open), List.of(A, B));

    assertThat(diff.summary().calls()).isEqualTo(counts(2, 2, 1, 1, 0, 0));
    Divergence changed = only(diff);
    assertThat(changed.kind()).isEqualTo(DivergenceKind.OUTPUT);
    EventChange result = changed.changes().get(0);
    assertThat(result.left()).as("no result, no event").isNull();
    assertThat(result.right().line()).isEqualTo(5);
    assertChange(changed, "/output", null, JsonValue.of("b out"));

    Divergence back = only(diff(List.of(A, B), List.of(A, open)));
    assertThat(back.changes().get(0).left()).isEqualTo(result.right());
    assertChange(back, "/output", JsonValue.of("b out"), null);
    assertThat(diff(List.of(A, open), List.of(A, open)).isIdentical()).isTrue();
  }

  @Test
  void call_that_failed_is_another_outcome_than_no_answer() throws IOException {
    Session open = new TestLog().calls("x", 0, 2).write(directory.resolve("left"));
    TestLog failed = new TestLog().calls("x", 0, 1);
    String id = failed.start("x", JsonObject.of("n", 1));
    failed.add(ToolResult.of(id, "no").withOutcome(Outcome.exit(1)).withLatencyMillis(1L));
    TestLog unanswered = new TestLog().calls("x", 0, 1);
    unanswered.start("x", JsonObject.of("n", 1));

    Divergence one = only(SessionDiff.between(
        unanswered.write(directory.resolve("unanswered")),
        failed.write(directory.resolve("right"))));
    assertThat(one.kind()).isEqualTo(DivergenceKind.OUTCOME);
    assertThat(one.severity()).isEqualTo(DivergenceSeverity.MAJOR);
    assertThat(only(SessionDiff.between(open, new Session(directory.resolve("unanswered"), null)))
            .kind())
        .isEqualTo(DivergenceKind.OUTPUT);
  }

  @Test
  void members_that_are_not_known_are_compared_whatever_their_name() throws IOException {
    String call = "{\"event\":\"ToolCall\",\"id\":\"a\",\"params\":{},\"tool\":\"t\",%s}";
    for (String extra : List.of("cwd", "path", "error_message", "other")) {
      Divergence one = only(SessionDiff.between(
          log("left", call.formatted("\"" + extra + "\":1")),
          log("right", call.formatted("\"" + extra + "\":2"))));
      assertThat(one.kind()).as(extra).isEqualTo(DivergenceKind.OTHER);
      assertThat(one.severity()).isEqualTo(DivergenceSeverity.MINOR);
    }
    String result =
        "{\"event\":\"ToolResult\",\"exit_code\":1,\"id\":\"a\",\"ok\":%s,\"output\":1}";
    assertThat(SessionDiff.between(
                log("left", call.formatted("\"x\":1"), result.formatted("\"no\"")),
                log("right", call.formatted("\"x\":1"), result.formatted("1")))
            .isIdentical())
        .isFalse();
  }

  @Test
  void default_that_a_dialect_writes_is_not_a_difference() throws IOException {
    String start = "{\"event\":\"SessionStart\",\"session_id\":\"s\"%s}";
    String result = "{\"event\":\"ToolResult\",\"id\":\"a\",\"output\":1%s}";
    String call = "{\"event\":\"ToolCall\",\"id\":\"a\",\"params\":{},\"tool\":\"t\"}";

    Session left = log("left", start.formatted(""), call, result.formatted(""));
    assertThat(SessionDiff.between(
                left,
                log(
                    "right",
                    start.formatted(",\"task\":\"\""),
                    call,
                    result.formatted(",\"ok\":true,\"side_effects\":[],\"step_utility\":0.0")))
            .divergences())
        .isEmpty();
    assertThat(only(SessionDiff.between(
                left,
                log("right", start.formatted(""), call, result.formatted(",\"side_effects\":[1]"))))
            .firstChange()
            .pointer())
        .isEqualTo("/side_effects");
  }

  @Test
  void text_that_only_one_side_has_is_shown_as_the_text() throws IOException {
    String call = "{\"event\":\"ModelCall\",\"id\":\"m\",\"prompt\":{\"messages\":[]}}";
    String answer =
        "{\"answer\":\"hello\",\"answer_hash\":\"%s\",\"event\":\"ModelResult\",\"id\":\"m\"}"
            .formatted(CanonicalJson.SERDE.hash(JsonValue.of("hello")));
    Session with = log("with", call, answer);
    Session without = log("without", call, "{\"event\":\"ModelResult\",\"id\":\"m\"}");

    assertThat(only(SessionDiff.between(with, without)).firstChange())
        .isEqualTo(TestResults.valueChange(
            DivergenceKind.RESPONSE, "/answer", "/answer", JsonValue.of("hello"), null, null));
    assertThat(only(SessionDiff.between(without, with)).firstChange())
        .isEqualTo(TestResults.valueChange(
            DivergenceKind.RESPONSE, "/answer", "/answer", null, JsonValue.of("hello"), null));
  }

  private Session log(String name, String... lines) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(
        file,
        "{\"event\":\"ReplayHeader\",\"replay_version\":1}\n" + String.join("\n", lines) + "\n");
    return new Session(file, null);
  }

  @Test
  void logs_with_hashes_only_are_compared_by_them() throws IOException {
    Session published = TestCalls.writeHashes(directory.resolve("hashes"), List.of(A, B));
    Session local = TestCalls.write(directory.resolve("values"), List.of(A, B));
    Session other =
        TestCalls.writeHashes(directory.resolve("other"), List.of(A, B.withOutput("other")));

    assertThat(SessionDiff.between(published, local).isIdentical()).isTrue();
    assertThat(SessionDiff.between(local, published).isIdentical()).isTrue();
    SessionDiff diff = SessionDiff.between(published, other);
    assertThat(only(diff).kind()).isEqualTo(DivergenceKind.OUTPUT);
    assertThat(only(diff).firstChange().pointer()).isEqualTo("/output_hash");
    SessionDiff mixed = SessionDiff.between(local, other);
    assertThat(only(mixed).firstChange()).isEqualTo(only(diff).firstChange());
    OneEditTest.assertPatches(only(mixed));
  }

  @Test
  void value_counts_and_not_the_hash_that_is_stated_next_to_it() throws IOException {
    Session left = TestCalls.write(directory.resolve("left"), List.of(A));
    Session right = TestCalls.write(directory.resolve("right"), List.of(A));
    String text = Files.readString(right.log());
    Files.writeString(right.log(), text.replace("\"a out\"", "\"x out\""));

    assertThat(only(SessionDiff.between(left, right)).kind()).isEqualTo(DivergenceKind.OUTPUT);
  }

  @Test
  void one_inserted_call_among_two_thousand_is_one_divergence() throws IOException {
    List<TestCall> left = TestCalls.distinct("t", 2_000);
    List<TestCall> right = new ArrayList<>(left);
    right.add(777, A);
    SessionDiff diff = diff(left, right);

    assertThat(diff.summary().calls()).isEqualTo(counts(2_000, 2_001, 2_000, 0, 0, 1));
    assertThat(diff.first()).isEqualTo(TestResults.first(777, DivergenceKind.ADDED));
    assertPlace(only(diff).right(), 2 + 2 * 777, 777, "a");
  }

  @Test
  void huge_difference_still_closes() throws IOException {
    int many = Alignment.MAX_DIFFERENCES + 500;
    List<TestCall> left = new ArrayList<>(List.of(A));
    List<TestCall> right = new ArrayList<>(List.of(A));
    left.addAll(TestCalls.distinct("left", many));
    right.addAll(TestCalls.distinct("right", many + 10));
    left.add(B);
    right.add(B);
    SessionDiff diff = diff(left, right);

    assertThat(diff.summary().calls()).isEqualTo(counts(many + 2, many + 12, 2, many, 0, 10));
    assertThat(diff.summary().calls().divergent()).isEqualTo(many + 10);
    assertThat(diff.first()).isEqualTo(TestResults.first(1, DivergenceKind.TOOL));
    assertThat(diff.divergences()).hasSize(100);
    assertThat(SessionDiff.between(
                directorySession("left"), directorySession("right"), listing(Integer.MAX_VALUE))
            .divergences())
        .hasSize(many + 10);
  }

  @Test
  void divergences_beyond_the_limit_are_counted_and_not_listed() throws IOException {
    List<TestCall> left = TestCalls.distinct("t", 10);
    diff(left, List.of());
    SessionDiff some =
        SessionDiff.between(directorySession("left"), directorySession("right"), listing(3));
    assertThat(some.divergences())
        .extracting(divergence -> divergence.left().call())
        .containsExactly(0, 1, 2);
    assertThat(some.summary().calls().missing()).isEqualTo(10);
    SessionDiff none =
        SessionDiff.between(directorySession("left"), directorySession("right"), listing(0));
    assertThat(none.divergences()).isEmpty();
    assertThat(none.isIdentical()).isFalse();
    assertThat(none.first()).isEqualTo(TestResults.first(0, DivergenceKind.MISSING));
  }

  @Test
  void line_that_cannot_be_read_is_not_passed_over() throws IOException {
    Session left = TestCalls.write(directory.resolve("left"), List.of(A));
    Session torn = TestCalls.write(directory.resolve("torn"), List.of(A));
    String text = Files.readString(torn.log());
    Files.writeString(torn.log(), text.substring(0, text.length() - 9));

    assertThatThrownBy(() -> SessionDiff.between(left, torn))
        .isInstanceOf(ReplayFormatException.class)
        .hasMessageContaining("torn");
  }

  private SessionDiff diff(List<TestCall> left, List<TestCall> right) throws IOException {
    return SessionDiff.between(
        TestCalls.write(directory.resolve("left"), left),
        TestCalls.write(directory.resolve("right"), right));
  }

  private Session directorySession(String name) {
    return new Session(directory.resolve(name), null);
  }

  private static DiffOptions listing(int divergences) {
    return DiffOptions.defaults().withMaxDivergences(divergences);
  }

  /** Counts without any that was moved. */
  private static StepCounts counts(
      int left, int right, int matched, int changed, int missing, int added) {
    return TestResults.stepCounts(left, right, matched, changed, 0, missing, added);
  }

  private static void assertPlace(Step step, long line, int call, String tool) {
    assertThat(step.line()).isEqualTo(line);
    assertThat(step.call()).isEqualTo(call);
    assertThat(step.name()).isEqualTo(tool);
  }

  private static void assertChange(
      Divergence divergence, String pointer, JsonValue before, JsonValue after) {
    assertThat(divergence.firstChange().pointer()).isEqualTo(pointer);
    assertThat(divergence.firstChange().before()).isEqualTo(before);
    assertThat(divergence.firstChange().after()).isEqualTo(after);
  }

  private static Divergence only(SessionDiff diff) {
    assertThat(diff.divergences()).hasSize(1);
    return diff.divergences().get(0);
  }
}
