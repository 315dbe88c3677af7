package dev.agentreplay.engine.diff;

import static dev.agentreplay.engine.published.TestCopies.HIDE;
import static dev.agentreplay.engine.published.TestCopies.WITHHOLD;
import static dev.agentreplay.engine.published.TestCopies.publish;
import static dev.agentreplay.engine.published.TestCopies.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.published.TestCopies.Change;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Comparisons with published copies: what a copy withholds is listed as such. */
class PublishedDiffTest {

  private static final String LOG =
      """
      {"created_at":"2026-01-13T10:00:00Z","event":"ReplayHeader","producer":"p@1","replay_version":1}
      {"event":"SessionStart","issue_number":7,"policy_version":"v1","session_id":"s1","t":"2026-01-13T10:00:01Z","task":"fix it"}
      {"event":"ToolCall","id":"c1","params":{"env":{"HOME":"/home/ada"},"path":"a","words":["x","y","z"]},"params_hash":"HASH","step_id":"p1","t":"2026-01-13T10:00:02Z","tool":"read"}
      {"event":"ToolResult","exit_code":null,"id":"c1","latency_ms":40,"output":"text of a","output_hash":"HASH","step_utility":0.5,"t":"2026-01-13T10:00:03Z"}
      {"event":"ToolCall","id":"c2","params":{"path":"b"},"params_hash":"HASH","step_id":"p1","t":"2026-01-13T10:00:04Z","tool":"read"}
      {"event":"ToolResult","exit_code":1,"id":"c2","latency_ms":41,"output":"text of b","output_hash":"HASH","step_utility":0.5,"t":"2026-01-13T10:00:05Z"}
      {"event":"SessionEnd","confidence":0.5,"status":"success","summary":"done","t":"2026-01-13T10:00:06Z","total_latency_ms":81,"total_tool_calls":2}
      """
          .replace("HASH", "sha256:" + "a".repeat(64));

  @TempDir
  Path folder;

  private Session original;

  @BeforeEach
  void write() throws IOException {
    original = log("original", LOG);
  }

  private Session log(String name, String text) throws IOException {
    return new Session(Files.writeString(folder.resolve(name), text), null);
  }

  private Session copy(Map<String, Change> changes) throws IOException {
    return publish(original, Files.createTempFile(folder, "copy", ""), "private_repo", changes);
  }

  private static List<String> withheld(SessionDiff diff) {
    return diff.divergences().stream()
        .flatMap(divergence -> divergence.changes().stream())
        .flatMap(change -> change.values().stream()
            .filter(value -> value.kind() == DivergenceKind.WITHHELD)
            .map(value -> change.sides().any().line() + value.pointer()))
        .sorted()
        .toList();
  }

  @Test
  void copy_that_shows_everything_is_identical() throws IOException {
    SessionDiff diff = SessionDiff.between(original, copy(Map.of()));

    assertThat(diff.divergences()).isEmpty();
    assertThat(diff.isIdentical()).isTrue();
    assertThat(diff.right().policy()).isEqualTo("private_repo");
    assertThat(diff.left().policy()).isNull();
    assertThat(diff.summary().identities() + diff.summary().timings()).isZero();
  }

  @Test
  void withheld_hidden_and_replaced_values_are_listed_and_no_differences() throws IOException {
    Session copy = copy(Map.of(
        "2/task", WITHHOLD,
        "3/params/env/HOME", replace("~", "path"),
        "3/params/words/1", WITHHOLD,
        "3/params/words/2", WITHHOLD,
        "4/output", HIDE,
        "5/params", WITHHOLD,
        "6/output", replace("[REDACTED:key]", "secret:key"),
        "7/summary", HIDE));
    SessionDiff diff = SessionDiff.between(original, copy);

    assertThat(withheld(diff))
        .containsExactly(
            "2/task",
            "3/params/env/HOME",
            "3/params/words/1",
            "3/params/words/2",
            "4/output",
            "5/params",
            "6/output",
            "7/summary");
    assertThat(diff.isIdentical()).isTrue();
    assertThat(diff.summary().withheld()).isEqualTo(6);
    assertThat(diff.summary().replaced()).isEqualTo(2);
    assertThat(diff.divergences())
        .extracting(Divergence::kind, Divergence::severity, Divergence::number)
        .containsExactly(
            tuple(DivergenceKind.WITHHELD, DivergenceSeverity.NONE, 0),
            tuple(DivergenceKind.WITHHELD, DivergenceSeverity.NONE, 1),
            tuple(DivergenceKind.WITHHELD, DivergenceSeverity.NONE, 2),
            tuple(DivergenceKind.WITHHELD, DivergenceSeverity.NONE, 3));
    assertThat(diff.summary().calls().matched()).isEqualTo(2);
    assertThat(diff.summary().byTool().get("read").matched()).isEqualTo(2);
    assertThat(diff.first()).isNull();
    assertThat(diff.cause()).isNull();
    assertThat(diff.similarity()).isEqualTo(100);
  }

  @Test
  void value_states_the_policy_and_the_rule() throws IOException {
    Session copy =
        copy(Map.of("3/params/env/HOME", replace("~", "path"), "3/params/path", WITHHOLD));
    List<ValueChange> values =
        SessionDiff.between(copy, original).divergences().get(0).values();

    assertThat(values).hasSize(2);
    ValueChange replaced = values.get(0);
    assertThat(replaced.before().asString()).isEqualTo("~");
    assertThat(replaced.after().asString()).isEqualTo("/home/ada");
    ValueChange.Withheld reason = (ValueChange.Withheld) replaced.detail();
    assertThat(reason.left()).isEqualTo(new ValueChange.Withheld.Reason("private_repo", "path"));
    assertThat(reason.right()).isNull();
    assertThat(reason.isReplaced()).isTrue();
    assertThat(values.get(1).before()).isNull();
    assertThat(values.get(1).after().asString()).isEqualTo("a");
    assertThat(((ValueChange.Withheld) values.get(1).detail()).isReplaced()).isFalse();
  }

  @Test
  void changed_value_that_is_shown_is_an_ordinary_divergence_and_listed_first() throws IOException {
    Session copy = copy(Map.of("2/task", WITHHOLD, "5/params", WITHHOLD, "6/output", HIDE));
    Session altered =
        log("altered", Files.readString(copy.log()).replace("text of a", "text of c"));
    SessionDiff diff = SessionDiff.between(original, altered);

    assertThat(diff.isIdentical()).isFalse();
    assertThat(diff.divergences().get(0).kind()).isEqualTo(DivergenceKind.OUTPUT);
    assertThat(diff.divergences().get(0).role()).isEqualTo(Divergence.Role.ROOT);
    assertThat(diff.divergences()).extracting(Divergence::number).containsExactly(0, 1, 2);
    assertThat(diff.first().call()).isZero();
    assertThat(withheld(diff)).containsExactly("2/task", "5/params", "6/output");
  }

  @Test
  void every_divergence_of_a_step_is_found_by_its_number() throws IOException {
    Session copy = copy(Map.of("2/task", WITHHOLD, "5/params", WITHHOLD));
    Session altered = log("altered", Files.readString(copy.log()).replace("\"done\"", "\"gone\""));
    SessionDiff diff = SessionDiff.between(original, altered);

    for (AlignedStep pair : diff.alignment()) {
      if (pair.divergence() != null) {
        assertThat(diff.divergences().get(pair.divergence()).sides()).isEqualTo(pair.sides());
      }
    }
    assertThat(diff.alignment()).filteredOn(pair -> pair.divergence() != null).hasSize(3);
  }

  @Test
  void limit_of_listed_divergences_leaves_out_withheld_values_first() throws IOException {
    Session copy = copy(Map.of("2/task", WITHHOLD, "5/params", WITHHOLD));
    Session altered = log("altered", Files.readString(copy.log()).replace("\"done\"", "\"gone\""));
    SessionDiff diff =
        SessionDiff.between(original, altered, DiffOptions.defaults().withMaxDivergences(1));

    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.ASSESSMENT);
    assertThat(diff.summary().withheld()).isEqualTo(2);
    assertThat(diff.summary().divergences()).isEqualTo(3);
  }

  @Test
  void mapped_ids_are_neither_compared_nor_counted() throws IOException {
    Session copy = copy(Map.of(
        "3/id", replace("id-1", "id"),
        "4/id", replace("id-1", "id"),
        "5/id", replace("id-2", "id"),
        "6/id", replace("id-2", "id"),
        "5/params", WITHHOLD,
        "4/t", HIDE));
    SessionDiff diff = SessionDiff.between(original, copy);

    assertThat(withheld(diff)).containsExactly("5/params");
    assertThat(diff.summary().identities()).isZero();
    assertThat(diff.summary().timings()).isZero();
    assertThat(diff.summary().calls().matched()).isEqualTo(2);
  }

  @Test
  void ids_and_times_are_listed_in_a_strict_comparison() throws IOException {
    Session copy =
        copy(Map.of("3/id", replace("id-1", "id"), "4/id", replace("id-1", "id"), "4/t", HIDE));
    SessionDiff diff =
        SessionDiff.between(original, copy, DiffOptions.defaults().withStrict(true));

    assertThat(withheld(diff)).containsExactly("3/id", "4/id", "4/t");
    assertThat(diff.isIdentical()).isTrue();
  }

  @Test
  void withheld_tool_is_counted_as_the_tool_that_is_shown() throws IOException {
    Session copy = copy(
        Map.of("3/tool", replace("withheld", "policy"), "5/tool", replace("withheld", "policy")));
    SessionDiff diff = SessionDiff.between(original, copy);

    assertThat(diff.isIdentical()).isTrue();
    assertThat(diff.summary().byTool()).containsOnlyKeys("read");
    assertThat(diff.summary().byTool().get("read").left()).isEqualTo(2);
    assertThat(diff.summary().byTool().get("read").right()).isEqualTo(2);
    assertThat(diff.summary().byTool().get("read").matched()).isEqualTo(2);
    assertThat(withheld(diff)).containsExactly("3/tool", "5/tool");
  }

  @Test
  void two_copies_are_compared_in_what_both_show() throws IOException {
    Session one = copy(Map.of("2/task", WITHHOLD, "5/params/path", HIDE));
    Session other = copy(Map.of("2/task", HIDE, "4/output", WITHHOLD));
    SessionDiff diff = SessionDiff.between(one, other);

    assertThat(withheld(diff)).containsExactly("2/task", "4/output", "5/params/path");
    assertThat(diff.isIdentical()).isTrue();
    SessionDiff same = SessionDiff.between(one, one);
    assertThat(withheld(same)).containsExactly("2/task");
  }

  @Test
  void member_that_more_than_the_hidden_ones_would_be_is_a_difference() throws IOException {
    Session copy = copy(Map.of("3/params/path", HIDE));
    Session different =
        log("different", LOG.replace("\"path\":\"a\"", "\"depth\":1,\"path\":\"a\""));

    assertThat(SessionDiff.between(original, copy).isIdentical()).isTrue();
    SessionDiff diff = SessionDiff.between(different, copy);
    assertThat(diff.isIdentical()).isFalse();
    assertThat(diff.cause().kind()).isEqualTo(DivergenceKind.PARAMS);
  }

  @Test
  void run_is_compared_with_a_copy_of_an_earlier_one_by_tool_and_position() throws IOException {
    Session copy = copy(Map.of("3/params", WITHHOLD, "5/params", WITHHOLD, "4/output", WITHHOLD));
    String[] lines = LOG.lines().toArray(String[]::new);
    String added = String.join(
        "\n",
        lines[0],
        lines[1],
        lines[2],
        lines[3].replace("text of a", "new text"),
        lines[4].replace("\"read\"", "\"write\"").replace("c2", "c9"),
        lines[5].replace("c2", "c9"),
        lines[4],
        lines[5],
        lines[6],
        "");
    SessionDiff diff = SessionDiff.between(copy, log("run", added));

    assertThat(diff.summary().divergencesByKind())
        .containsEntry(DivergenceKind.ADDED, 1)
        .containsEntry(DivergenceKind.WITHHELD, 2)
        .hasSize(2);
    assertThat(withheld(diff)).containsExactly("3/params", "4/output", "5/params");
  }

  @Test
  void ignored_values_are_not_listed() throws IOException {
    Session copy = copy(Map.of("3/params/path", WITHHOLD, "4/output", WITHHOLD));
    SessionDiff diff =
        SessionDiff.between(original, copy, DiffOptions.defaults().plus(Ignore.at("/params/path")));

    assertThat(withheld(diff)).containsExactly("4/output");
  }

  @Test
  void line_without_an_opening_is_an_error_with_the_next_step() throws IOException {
    Session copy = copy(Map.of("5/params", WITHHOLD));
    String text = Files.readString(copy.log()).replaceFirst("\"disclosure\":\"[^\"]+\",", "");

    assertThat(org.assertj.core.api.Assertions.catchThrowable(
            () -> SessionDiff.between(original, log("broken", text))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("replay verify");
  }
}
