package dev.agentreplay.engine;

import static dev.agentreplay.engine.TestCalls.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.Divergence.Role;
import dev.agentreplay.engine.SessionDiff.Calls;
import dev.agentreplay.engine.SessionDiff.First;
import dev.agentreplay.engine.TestCalls.TestCall;
import dev.agentreplay.io.ReplayFormatException;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.internal.Alignment;
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

/** How two sessions differ, case by case. */
class SessionDiffTest {

  private static final TestCall A = call("a", JsonObject.of("x", 1), "a out");
  private static final TestCall B = call("b", JsonObject.of("x", 2), "b out");
  private static final TestCall C = call("c", JsonObject.of("x", 3), "c out");

  @TempDir
  private Path directory;

  @Test
  void equalCallsAreIdentical() throws IOException {
    SessionDiff diff = diff(List.of(A, B, A), List.of(A, B, A));
    assertThat(diff).isEqualTo(new SessionDiff(new Calls(3, 3, 3, 0, 0, 0), null, List.of()));
    assertThat(diff.isIdentical()).isTrue();
  }

  @Test
  void hashIsThatOfTheLogsCanonicalization() throws IOException {
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
  void integersThatJcsWouldRoundAreNotEqual() throws IOException {
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
  void sessionsWithoutCallsAreIdentical() throws IOException {
    assertThat(diff(List.of(), List.of()).calls()).isEqualTo(new Calls(0, 0, 0, 0, 0, 0));
    assertThat(diff(List.of(), List.of()).isIdentical()).isTrue();
    assertThat(diff(List.of(), List.of(A)).calls()).isEqualTo(new Calls(0, 1, 0, 0, 0, 1));
    assertThat(diff(List.of(A), List.of()).calls()).isEqualTo(new Calls(1, 0, 0, 0, 1, 0));
  }

  @Test
  void insertedCallIsOneDivergence() throws IOException {
    SessionDiff diff = diff(List.of(A, C), List.of(A, B, C));

    assertThat(diff.calls()).isEqualTo(new Calls(2, 3, 2, 0, 0, 1));
    assertThat(diff.first()).isEqualTo(new First(1, DivergenceKind.ADDED));
    Divergence added = only(diff);
    assertThat(added.kind()).isEqualTo(DivergenceKind.ADDED);
    assertThat(added.role()).isEqualTo(Role.ROOT);
    assertThat(added.left()).isNull();
    assertThat(added.right()).isEqualTo(new Divergence.Place(4, 1, "b"));
    assertThat(added.before()).isNull();
    assertThat(added.patch().get(0).at("/value")).isEqualTo(added.after());
    assertThat(added.after().at("/tool").asString()).isEqualTo("b");
  }

  @Test
  void removedCallIsOneDivergence() throws IOException {
    SessionDiff diff = diff(List.of(A, B, C), List.of(A, C));

    assertThat(diff.calls()).isEqualTo(new Calls(3, 2, 2, 0, 1, 0));
    assertThat(diff.first()).isEqualTo(new First(1, DivergenceKind.MISSING));
    Divergence missing = only(diff);
    assertThat(missing.left()).isEqualTo(new Divergence.Place(4, 1, "b"));
    assertThat(missing.right()).isNull();
    assertThat(missing.before().at("/tool").asString()).isEqualTo("b");
    assertThat(missing.after()).isNull();
    assertThat(missing.patch().get(0).at("/op").asString()).isEqualTo("test");
    assertThat(missing.patch().get(1))
        .isEqualTo(JsonObject.of("op", "replace", "path", "", "value", null));
  }

  @Test
  void otherParametersAreAChange() throws IOException {
    SessionDiff diff = diff(List.of(A, B, C), List.of(A, B.withParams(JsonObject.of("x", 9)), C));

    assertThat(diff.calls()).isEqualTo(new Calls(3, 3, 2, 1, 0, 0));
    assertThat(diff.first()).isEqualTo(new First(1, DivergenceKind.PARAMS));
    Divergence changed = only(diff);
    assertThat(changed.kind()).isEqualTo(DivergenceKind.PARAMS);
    assertThat(changed.left()).isEqualTo(changed.right());
    assertThat(changed.left()).isEqualTo(new Divergence.Place(4, 1, "b"));
    assertThat(changed.pointer()).isEqualTo("/params/x");
    assertThat(changed.before()).isEqualTo(JsonValue.of(2));
    assertThat(changed.after()).isEqualTo(JsonValue.of(9));
    assertThat(changed.patch().get(0))
        .isEqualTo(JsonObject.of("op", "replace", "path", "/params/x", "value", 9));
    assertThat(changed.patch().get(1).at("/path").asString()).isEqualTo("/params_hash");
  }

  @Test
  void otherOutputIsAChangeInTheResult() throws IOException {
    SessionDiff diff = diff(List.of(A, B), List.of(A, B.withOutput("other")));

    assertThat(diff.calls()).isEqualTo(new Calls(2, 2, 1, 1, 0, 0));
    assertThat(diff.first()).isEqualTo(new First(1, DivergenceKind.OUTPUT));
    Divergence changed = only(diff);
    assertThat(changed.left())
        .as("the line of the result")
        .isEqualTo(new Divergence.Place(5, 1, "b"));
    assertThat(changed.pointer()).isEqualTo("/output");
    assertThat(changed.before()).isEqualTo(JsonValue.of("b out"));
    assertThat(changed.after()).isEqualTo(JsonValue.of("other"));
  }

  @Test
  void otherToolIsAChange() throws IOException {
    SessionDiff diff = diff(List.of(A, B, C), List.of(A, call("d", 4, 5), C));

    assertThat(diff.calls()).isEqualTo(new Calls(3, 3, 2, 1, 0, 0));
    assertThat(only(diff).kind()).isEqualTo(DivergenceKind.TOOL);
    assertThat(only(diff).pointer()).isEqualTo("/tool");
    assertThat(only(diff).before()).isEqualTo(JsonValue.of("b"));
    assertThat(only(diff).after()).isEqualTo(JsonValue.of("d"));
  }

  @Test
  void swappedCallsAreOneMissingAndOneAdded() throws IOException {
    SessionDiff diff = diff(List.of(A, B, C), List.of(B, A, C));
    assertThat(diff.calls()).isEqualTo(new Calls(3, 3, 2, 0, 1, 1));
    assertThat(diff.first().call()).isZero();
    assertThat(diff.divergences())
        .extracting(Divergence::role)
        .containsExactly(Role.ROOT, Role.DOWNSTREAM);
  }

  @Test
  void duplicatedCallIsAdded() throws IOException {
    SessionDiff diff = diff(List.of(A, B), List.of(A, A, A, B));
    assertThat(diff.calls()).isEqualTo(new Calls(2, 4, 2, 0, 0, 2));
    assertThat(diff.first()).isEqualTo(new First(1, DivergenceKind.ADDED));
  }

  @Test
  void idsAreNotCompared() throws IOException {
    List<TestCall> renamed = new ArrayList<>();
    for (TestCall call : List.of(A, B)) {
      renamed.add(new TestCall("other-" + call.tool(), call.tool(), call.params(), call.output()));
    }
    assertThat(diff(List.of(A, B), renamed).isIdentical()).isTrue();
  }

  @Test
  void outputsOfOneIdBelongToItsCallsInTurn() throws IOException {
    TestCall later = A.withOutput("other out");
    SessionDiff diff = diff(List.of(A, later), List.of(later, A));
    assertThat(diff.calls()).isEqualTo(new Calls(2, 2, 1, 0, 1, 1));
    diff = diff(List.of(A, B, A), List.of(A, B, later));
    assertThat(diff.calls()).isEqualTo(new Calls(3, 3, 2, 1, 0, 0));
    assertThat(only(diff).left()).isEqualTo(new Divergence.Place(7, 2, "a"));
  }

  @Test
  void outputsOfOneIdThatIsOpenTwiceBelongToItsCallsInTurn() throws IOException {
    Session together = TestCalls.write(directory.resolve("together"), List.of());
    Session apart = TestCalls.write(directory.resolve("apart"), List.of(A, B));
    List<String> lines = Files.readAllLines(apart.log());
    Files.write(
        together.log(),
        List.of(lines.get(0), lines.get(1), lines.get(3), lines.get(2), lines.get(4)));

    assertThat(SessionDiff.between(apart, together).isIdentical()).isTrue();
  }

  @Test
  void unansweredCallDiffersFromAnAnsweredOneInItsOutput() throws IOException {
    TestCall open = new TestCall("open", "b", B.params(), null);
    SessionDiff diff = diff(List.of(A, open), List.of(A, B));

    assertThat(diff.calls()).isEqualTo(new Calls(2, 2, 1, 1, 0, 0));
    Divergence changed = only(diff);
    assertThat(changed.kind()).isEqualTo(DivergenceKind.OUTPUT);
    assertThat(changed.left()).as("no result, no place").isNull();
    assertThat(changed.right()).isEqualTo(new Divergence.Place(5, 1, "b"));
    assertThat(changed.before()).isNull();
    assertThat(changed.after().at("/output").asString()).isEqualTo("b out");

    Divergence back = only(diff(List.of(A, B), List.of(A, open)));
    assertThat(back.left()).isEqualTo(changed.right());
    assertThat(back.before()).isEqualTo(changed.after().asObject());
    assertThat(back.after()).isNull();
    assertThat(diff(List.of(A, open), List.of(A, open)).isIdentical()).isTrue();
  }

  @Test
  void logsWithHashesOnlyAreComparedByThem() throws IOException {
    Session published = TestCalls.writeHashes(directory.resolve("hashes"), List.of(A, B));
    Session local = TestCalls.write(directory.resolve("values"), List.of(A, B));
    Session other =
        TestCalls.writeHashes(directory.resolve("other"), List.of(A, B.withOutput("other")));

    assertThat(SessionDiff.between(published, local).isIdentical()).isTrue();
    assertThat(SessionDiff.between(local, published).isIdentical()).isTrue();
    SessionDiff diff = SessionDiff.between(published, other);
    assertThat(only(diff).kind()).isEqualTo(DivergenceKind.OUTPUT);
    assertThat(only(diff).pointer()).isEqualTo("/output_hash");
    assertThat(only(SessionDiff.between(local, other)).patch())
        .as("the value goes, the hash changes")
        .isEqualTo(JsonArray.of(
            JsonObject.of("op", "remove", "path", "/output"), only(diff).patch().get(0)));
  }

  @Test
  void valueCountsAndNotTheHashThatIsStatedBesideIt() throws IOException {
    Session left = TestCalls.write(directory.resolve("left"), List.of(A));
    Session right = TestCalls.write(directory.resolve("right"), List.of(A));
    String text = Files.readString(right.log());
    Files.writeString(right.log(), text.replace("\"a out\"", "\"x out\""));

    assertThat(only(SessionDiff.between(left, right)).kind()).isEqualTo(DivergenceKind.OUTPUT);
  }

  @Test
  void oneInsertedCallAmongTwoThousandIsOneDivergence() throws IOException {
    List<TestCall> left = TestCalls.distinct("t", 2_000);
    List<TestCall> right = new ArrayList<>(left);
    right.add(777, A);
    SessionDiff diff = diff(left, right);

    assertThat(diff.calls()).isEqualTo(new Calls(2_000, 2_001, 2_000, 0, 0, 1));
    assertThat(diff.first()).isEqualTo(new First(777, DivergenceKind.ADDED));
    assertThat(only(diff).right()).isEqualTo(new Divergence.Place(2 + 2 * 777, 777, "a"));
  }

  @Test
  void hugeDifferenceStillCloses() throws IOException {
    int many = Alignment.MAX_DIFFERENCES + 500;
    List<TestCall> left = new ArrayList<>(List.of(A));
    List<TestCall> right = new ArrayList<>(List.of(A));
    left.addAll(TestCalls.distinct("left", many));
    right.addAll(TestCalls.distinct("right", many + 10));
    left.add(B);
    right.add(B);
    SessionDiff diff = diff(left, right);

    assertThat(diff.calls()).isEqualTo(new Calls(many + 2, many + 12, 2, many, 0, 10));
    assertThat(diff.calls().divergent()).isEqualTo(many + 10);
    assertThat(diff.first()).isEqualTo(new First(1, DivergenceKind.TOOL));
    assertThat(diff.divergences()).hasSize(SessionDiff.DEFAULT_MAX_DIVERGENCES);
    assertThat(SessionDiff.between(
                directorySession("left"), directorySession("right"), Integer.MAX_VALUE)
            .divergences())
        .hasSize(many + 10);
  }

  @Test
  void divergencesBeyondTheLimitAreCountedAndNotListed() throws IOException {
    List<TestCall> left = TestCalls.distinct("t", 10);
    diff(left, List.of());
    SessionDiff some = SessionDiff.between(directorySession("left"), directorySession("right"), 3);
    assertThat(some.divergences())
        .extracting(divergence -> divergence.left().call())
        .containsExactly(0, 1, 2);
    assertThat(some.calls().missing()).isEqualTo(10);
    SessionDiff none = SessionDiff.between(directorySession("left"), directorySession("right"), 0);
    assertThat(none.divergences()).isEmpty();
    assertThat(none.isIdentical()).isFalse();
    assertThat(none.first()).isEqualTo(new First(0, DivergenceKind.MISSING));
  }

  @Test
  void lineThatCannotBeReadIsNotPassedOver() throws IOException {
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

  private static Divergence only(SessionDiff diff) {
    assertThat(diff.divergences()).hasSize(1);
    return diff.divergences().get(0);
  }
}
