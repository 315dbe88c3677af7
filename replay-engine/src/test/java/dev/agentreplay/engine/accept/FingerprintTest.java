package dev.agentreplay.engine.accept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.ConvertOptions;
import dev.agentreplay.convert.SessionConverter;
import dev.agentreplay.convert.SessionFormat;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.fingerprint.ChangedPlace;
import dev.agentreplay.engine.fingerprint.Fingerprint;
import dev.agentreplay.engine.fingerprint.StepIdentity;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fingerprint of a difference is the same wherever the same difference is found. */
class FingerprintTest {

  private static final Map<String, Object> HOST = Map.of("host", "web-1");

  @TempDir
  private Path directory;

  private int sessions;

  private Session write(TestPair pair) throws Exception {
    return pair.write(directory.resolve("s" + sessions++));
  }

  private List<ContentHash> fingerprints(TestPair left, TestPair right, DiffOptions options)
      throws Exception {
    return fingerprints(SessionDiff.between(write(left), write(right), options));
  }

  private static List<ContentHash> fingerprints(SessionDiff diff) {
    return diff.divergences().stream().map(Divergence::fingerprint).toList();
  }

  private ContentHash only(TestPair left, TestPair right) throws Exception {
    return only(left, right, DiffOptions.defaults());
  }

  private ContentHash only(TestPair left, TestPair right, DiffOptions options) throws Exception {
    List<ContentHash> found = fingerprints(left, right, options);
    assertThat(found).hasSize(1).doesNotContainNull();
    return found.get(0);
  }

  private static TestPair load(int ids, Object value) {
    return TestPair.ids(ids).call("load", HOST, Map.of("load", value));
  }

  @Test
  void formula_is_the_documented_one() throws Exception {
    String request = CanonicalJson.SERDE
        .hash(JsonText.parse("{\"params_hash\":\"%s\",\"tool\":\"load\"}"
            .formatted(CanonicalJson.SERDE.hash(JsonText.parse("{\"host\":\"web-1\"}")))))
        .toString();
    String value = CanonicalJson.SERDE.hash(JsonText.parse("0.95")).toString();
    String text =
        """
        {"added":null,"after":null,
        "changes":[{"part":"result","place":"/output/load","value":"%s"}],
        "divergence":"OUTPUT","size":1,
        "step":{"agent":null,"kind":"call","name":"load","occurrence":0,"request":"%s"}}
        """
            .formatted(value, request);

    assertThat(only(load(0, 0.93), load(100, 0.95)))
        .isEqualTo(CanonicalJson.SERDE.hash(JsonText.parse(text)));
  }

  @Test
  void golden_fingerprints_do_not_change() throws Exception {
    SessionDiff diff = SessionDiff.between(
        write(TestPair.ids(0)
            .call("load", HOST, Map.of("load", 0.93))
            .call("gone", Map.of(), "x")
            .call("moved", Map.of(), "m")
            .call("stays", Map.of(), "s")
            .call("stays", Map.of("n", 2), "s")),
        write(TestPair.ids(9)
            .call("load", HOST, Map.of("load", 0.95))
            .call("stays", Map.of(), "s")
            .call("stays", Map.of("n", 2), "s")
            .call("moved", Map.of(), "m")
            .call("new", Map.of("n", 1), "y")));

    List<String> golden = new ArrayList<>();
    diff.divergences()
        .forEach(each -> golden.add(
            each.kind() + " " + each.fingerprint().toString().substring("sha256:".length(), 23)));
    assertThat(golden)
        .containsExactly(
            "OUTPUT 48b9c222a7d4c206",
            "MISSING 6407848831286eda",
            "MOVED 14c91e4ed4ad44bc",
            "ADDED 38d36c715f900397");
  }

  @Test
  void place_in_a_call_is_not_that_in_its_result() throws Exception {
    StepIdentity step = new StepIdentity("call", "load", null, request(2), 0);
    ContentHash value = CanonicalJson.SERDE.hash(JsonText.parse("3"));
    ChangedPlace inCall = new ChangedPlace(false, "/params/n", value);
    ChangedPlace inResult = new ChangedPlace(true, "/params/n", value);

    assertThat(only(
            TestPair.ids(0).call("load", Map.of("n", 2), "s"),
            TestPair.ids(9).call("load", Map.of("n", 3), "s")))
        .isEqualTo(Fingerprint.of("PARAMS", step, null, 1, List.of(inCall), null))
        .isNotEqualTo(Fingerprint.of("PARAMS", step, null, 1, List.of(inResult), null));
  }

  private static ContentHash request(int n) {
    ContentHash params = CanonicalJson.SERDE.hash(JsonText.parse("{\"n\":%d}".formatted(n)));
    return CanonicalJson.SERDE.hash(
        JsonText.parse("{\"params_hash\":\"%s\",\"tool\":\"load\"}".formatted(params)));
  }

  @Test
  void numbers_lines_ids_and_latencies_do_not_matter() throws Exception {
    ContentHash alone = only(load(0, 0.93), load(100, 0.95));

    List<ContentHash> among = fingerprints(
        TestPair.ids(0)
            .call("first", Map.of(), 1)
            .call("second", Map.of("n", 1), "a")
            .call("load", HOST, Map.of("load", 0.93)),
        TestPair.ids(7)
            .call("new", Map.of(), 1)
            .call("second", Map.of("n", 1), "b")
            .call("load", HOST, Map.of("load", 0.95)),
        DiffOptions.defaults());

    assertThat(among).hasSizeGreaterThan(2).contains(alone).doesNotHaveDuplicates();
  }

  @Test
  void new_value_place_request_occurrence_and_name_matter() throws Exception {
    List<ContentHash> all = List.of(
        only(load(0, 0.93), load(9, 0.95)),
        only(load(0, 0.93), load(9, 0.96)),
        only(
            TestPair.ids(0).call("load", HOST, Map.of("other", 1)),
            TestPair.ids(9).call("load", HOST, Map.of("other", 0.95))),
        only(
            TestPair.ids(0).call("load", Map.of("host", "web-2"), Map.of("load", 0.93)),
            TestPair.ids(9).call("load", Map.of("host", "web-2"), Map.of("load", 0.95))),
        only(
            TestPair.ids(0).call("load2", HOST, Map.of("load", 0.93)),
            TestPair.ids(9).call("load2", HOST, Map.of("load", 0.95))),
        only(
            load(0, 0.93).call("load", HOST, Map.of("load", 0.93)),
            load(9, 0.93).call("load", HOST, Map.of("load", 0.95))));

    assertThat(all).doesNotHaveDuplicates();
  }

  @Test
  void the_old_value_does_not_matter_because_the_recording_has_it() throws Exception {
    assertThat(only(load(0, 0.90), load(9, 0.95))).isEqualTo(only(load(0, 0.93), load(9, 0.95)));
  }

  @Test
  void an_added_step_is_known_by_the_step_before_it() throws Exception {
    TestPair left = TestPair.ids(0).call("a", Map.of(), 1).call("b", Map.of(), 2);
    ContentHash afterA = only(
        left,
        TestPair.ids(9).call("a", Map.of(), 1).call("new", Map.of(), 3).call("b", Map.of(), 2));
    ContentHash afterB = only(
        TestPair.ids(0).call("a", Map.of(), 1).call("b", Map.of(), 2),
        TestPair.ids(9).call("a", Map.of(), 1).call("b", Map.of(), 2).call("new", Map.of(), 3));

    assertThat(afterA).isNotEqualTo(afterB);
  }

  @Test
  void equal_added_steps_have_different_fingerprints() throws Exception {
    assertThat(fingerprints(
            TestPair.ids(0).call("a", Map.of(), 1),
            TestPair.ids(9)
                .call("a", Map.of(), 1)
                .call("new", Map.of(), 3)
                .call("new", Map.of(), 3)
                .call("new", Map.of(), 3),
            DiffOptions.defaults()))
        .hasSize(3)
        .doesNotHaveDuplicates();
  }

  @Test
  void the_number_of_steps_of_a_moved_block_matters() throws Exception {
    TestPair left = TestPair.ids(0);
    List.of("a", "b", "c", "d", "e", "f").forEach(name -> left.call(name, Map.of(), name));
    TestPair one = TestPair.ids(9);
    List.of("b", "c", "d", "e", "f", "a").forEach(name -> one.call(name, Map.of(), name));
    TestPair two = TestPair.ids(9);
    List.of("c", "d", "e", "f", "a", "b").forEach(name -> two.call(name, Map.of(), name));
    Session recording = write(left);
    SessionDiff first = SessionDiff.between(recording, write(one));
    SessionDiff second = SessionDiff.between(recording, write(two));

    assertThat(first.divergences()).extracting(Divergence::size).containsExactly(1);
    assertThat(second.divergences()).extracting(Divergence::size).containsExactly(2);
    assertThat(fingerprints(first)).doesNotContainAnyElementsOf(fingerprints(second));
  }

  @Test
  void ignored_and_normalized_values_are_not_in_it() throws Exception {
    DiffOptions options =
        DiffOptions.defaults().plus(Ignore.at("/output/id"), Normalizer.parse("temp"));
    List<ContentHash> all = new ArrayList<>();
    for (String noise : List.of("1", "2")) {
      all.add(only(
          TestPair.ids(0)
              .call("run", Map.of("n", 1), Map.of("id", "x", "log", "/tmp/a/x", "state", "old")),
          TestPair.ids(9)
              .call(
                  "run",
                  Map.of("n", 1),
                  Map.of("id", "x" + noise, "log", "/tmp/a" + noise + "/x", "state", "new")),
          options));
    }

    assertThat(all.get(0)).isEqualTo(all.get(1));
  }

  @Test
  void what_rules_replace_in_a_text_that_differs_is_not_in_it() throws Exception {
    DiffOptions options = DiffOptions.defaults().plus(Normalizer.parse("run:run-[0-9]+=>run-N"));
    List<ContentHash> all = new ArrayList<>();
    for (int number : List.of(1, 2)) {
      all.add(only(
          TestPair.ids(0).call("run", HOST, "run-0 failed"),
          TestPair.ids(9).call("run", HOST, "run-" + number + " passed"),
          options));
    }

    assertThat(all.get(0)).isEqualTo(all.get(1));
  }

  @Test
  void ignored_members_of_a_value_that_is_new_as_a_whole_are_not_in_it() throws Exception {
    DiffOptions options = DiffOptions.defaults().plus(Ignore.at("/output/job/id"));
    List<ContentHash> all = new ArrayList<>();
    for (int id : List.of(1, 2)) {
      all.add(only(
          TestPair.ids(0).call("run", HOST, Map.of("a", 1)),
          TestPair.ids(9).call("run", HOST, Map.of("a", 1, "job", Map.of("id", id, "n", 5))),
          options));
    }

    assertThat(all.get(0)).isEqualTo(all.get(1));
  }

  @Test
  void a_value_that_is_ignored_in_an_added_step_is_not_in_it() throws Exception {
    DiffOptions options = DiffOptions.defaults().plus(Ignore.at("/output/id"));
    List<ContentHash> all = new ArrayList<>();
    for (String noise : List.of("1", "2")) {
      all.add(only(
          TestPair.ids(0).call("a", Map.of(), 1),
          TestPair.ids(9)
              .call("a", Map.of(), 1)
              .call("run", Map.of("n", 1), Map.of("id", noise, "state", "new")),
          options));
    }

    assertThat(all.get(0)).isEqualTo(all.get(1));
  }

  @Test
  void numbers_within_a_tolerance_are_not_in_it() throws Exception {
    DiffOptions options = DiffOptions.defaults().plus(Tolerance.parse("/output/load=0.1"));
    List<ContentHash> all = new ArrayList<>();
    for (double load : List.of(0.91, 0.92)) {
      all.add(only(
          TestPair.ids(0).call("run", HOST, Map.of("load", 0.9, "state", "old")),
          TestPair.ids(9).call("run", HOST, Map.of("load", load, "state", "new")),
          options));
    }

    assertThat(all.get(0)).isEqualTo(all.get(1));
  }

  @Test
  void the_order_of_unordered_elements_is_not_in_it() throws Exception {
    DiffOptions options = DiffOptions.defaults().plus(UnorderedArray.parse("/output"));
    List<ContentHash> all = new ArrayList<>();
    for (List<String> right : List.of(List.of("a", "b", "new"), List.of("new", "b", "a"))) {
      all.add(only(
          TestPair.ids(0).call("run", HOST, List.of("a", "b")),
          TestPair.ids(9).call("run", HOST, right),
          options));
    }

    assertThat(all.get(0)).isEqualTo(all.get(1));
  }

  @Test
  void the_place_of_an_added_element_is_in_it_if_order_is_significant() throws Exception {
    List<ContentHash> all = new ArrayList<>();
    for (List<String> right : List.of(List.of("a", "b", "new"), List.of("new", "a", "b"))) {
      all.add(only(
          TestPair.ids(0).call("run", HOST, List.of("a", "b")),
          TestPair.ids(9).call("run", HOST, right)));
    }

    assertThat(all.get(0)).isNotEqualTo(all.get(1));
  }

  @Test
  void a_rule_that_does_not_apply_does_not_change_it() throws Exception {
    DiffOptions options = DiffOptions.defaults().plus(Ignore.at("/output/other"), Ignore.ids());

    assertThat(only(load(0, 0.93), load(9, 0.95), options))
        .isEqualTo(only(load(0, 0.93), load(9, 0.95)));
  }

  @Test
  void unlisted_divergences_have_the_fingerprints_of_listed_ones() throws Exception {
    TestPair left = TestPair.ids(0);
    TestPair right = TestPair.ids(900);
    for (int i = 0; i < 30; i++) {
      left.call("load", Map.of("n", i % 7), Map.of("load", i));
      right.call("load", Map.of("n", i % 7), Map.of("load", -i - 1));
    }
    Session recording = write(left);
    Session run = write(right);
    SessionDiff listed = SessionDiff.between(recording, run);

    SessionDiff few = SessionDiff.between(
        recording,
        run,
        DiffOptions.defaults()
            .withMaxDivergences(1)
            .accepting(java.util.Set.copyOf(fingerprints(listed))));

    assertThat(listed.divergences()).hasSize(30);
    assertThat(few.isIdentical()).isTrue();
    assertThat(few.accepted()).hasSize(30);
    assertThat(few.notFound()).isEmpty();
  }

  @Test
  void dialects_do_not_matter() throws Exception {
    TestPair left = load(0, 0.93).call("stays", Map.of("n", 1), "s").call("gone", Map.of(), "g");
    TestPair right = load(9, 0.95).call("stays", Map.of("n", 1), "s").call("new", Map.of(), "n");
    Session recording = write(left);
    Session run = write(right);
    SessionDiff original = SessionDiff.between(recording, run);
    assertThat(original.divergences()).extracting(Divergence::kind).contains(DivergenceKind.OUTPUT);

    for (SessionFormat to : List.of(SessionFormat.TYPE, SessionFormat.DRAFT)) {
      SessionDiff converted =
          SessionDiff.between(convert(recording, "left", to), convert(run, "right", to));
      assertThat(fingerprints(converted)).as("%s", to).isEqualTo(fingerprints(original));
      SessionDiff mixed = SessionDiff.between(convert(recording, "mixed", to), run);
      assertThat(fingerprints(mixed)).as("%s, mixed", to).containsAll(fingerprints(original));
    }
  }

  private Session convert(Session session, String name, SessionFormat to) throws Exception {
    Path out = directory.resolve(name + to);
    SessionConverter.convertInto(out, session, to, ConvertOptions.defaults());
    return Session.open(out);
  }
}
