package dev.agentreplay.engine.diff;

import static dev.agentreplay.engine.published.TestCopies.HIDE;
import static dev.agentreplay.engine.published.TestCopies.WITHHOLD;
import static dev.agentreplay.engine.published.TestCopies.replace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.published.TestCopies;
import dev.agentreplay.engine.published.TestCopies.Change;
import dev.agentreplay.engine.report.JUnitReport;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of sessions whose values are in blobs, changes of prompts, lanes, settings. */
class PublishedFormsTest {

  private static final String HEADER =
      "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\",\"producer\":\"p@1\","
          + "\"replay_version\":1}\n";

  @TempDir
  Path home;

  private Session publish(Session original, Map<String, Change> changes) throws IOException {
    return TestCopies.publish(
        original, Files.createTempFile(home, "copy", ""), "private_repo", changes);
  }

  private Session log(String name, String lines) throws IOException {
    return new Session(Files.writeString(home.resolve(name), HEADER + lines), null);
  }

  private Session altered(Session copy, String from, String to) throws IOException {
    String text = Files.readString(copy.log());
    assertThat(text).contains(from);
    return new Session(
        Files.writeString(Files.createTempFile(home, "altered", ""), text.replace(from, to)), null);
  }

  private static List<JsonObject> lines(Session session) throws IOException {
    return Files.readAllLines(session.log()).stream()
        .map(line -> JsonText.parse(line).asObject())
        .toList();
  }

  private static List<String> pointers(SessionDiff diff) {
    return diff.divergences().stream()
        .flatMap(divergence -> divergence.values().stream())
        .map(value -> value.kind() + " " + value.pointer())
        .distinct()
        .toList();
  }

  private Session record(String name, RecorderOptions options) throws IOException {
    Path place = home.resolve(name);
    List<JsonValue> messages = new ArrayList<>();
    try (SessionRecorder recorder = SessionRecorder.start(place, SessionStart.of("s"), options)) {
      for (int turn = 0; turn < 4; turn++) {
        messages.add(JsonObject.of("role", "user", "content", "message " + turn));
        Prompt prompt = Prompt.of(JsonArray.copyOf(messages)).withSystem("s".repeat(100));
        recorder.modelCall("m", prompt).answer("answer " + turn);
        recorder.call("read", JsonObject.of("path", "p".repeat(200))).result("o".repeat(200));
      }
      recorder.end(Status.SUCCESS, 1);
    }
    return Session.open(place);
  }

  @Test
  void changes_of_prompts_are_compared_as_they_are() throws IOException {
    Session original = record("deltas", RecorderOptions.defaults());
    assertThat(lines(original)).anyMatch(line -> line.has(Names.PROMPT_DELTA));
    assertThat(SessionDiff.between(original, publish(original, Map.of())).divergences())
        .isEmpty();

    Map<String, Change> changes = new HashMap<>();
    List<JsonObject> lines = lines(original);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).has("prompt")) {
        changes.put(i + 1 + "/prompt/messages/0/content", replace("x", "path"));
      }
    }
    assertThat(changes).isNotEmpty();
    Session copy = publish(original, changes);
    assertThat(pointers(SessionDiff.between(original, copy)))
        .containsExactly("WITHHELD /prompt/messages/0/content");
    SessionDiff diff = SessionDiff.between(original, altered(copy, "message 3", "other"));
    assertThat(diff.isIdentical()).isFalse();
    assertThat(diff.divergences().get(0).kind()).isEqualTo(DivergenceKind.PROMPT);
  }

  @Test
  void changes_of_prompts_that_are_withheld_are_listed() throws IOException {
    Session original = record("deltas", RecorderOptions.defaults());
    Map<String, Change> changes = new HashMap<>();
    List<JsonObject> lines = lines(original);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).has("prompt") || lines.get(i).has(Names.PROMPT_DELTA)) {
        changes.put(i + 1 + "/prompt", WITHHOLD);
        changes.put(i + 1 + "/" + Names.PROMPT_DELTA, WITHHOLD);
        changes.put(i + 1 + "/prompt_hash", HIDE);
      }
    }
    SessionDiff diff = SessionDiff.between(original, publish(original, changes));

    assertThat(pointers(diff)).containsExactly("WITHHELD /prompt", "WITHHELD /prompt_delta");
    assertThat(diff.isIdentical()).isTrue();
  }

  @Test
  void value_in_a_blob_is_withheld_like_one_in_the_log() throws IOException {
    Session original = record("blobs", RecorderOptions.defaults().withBlobThreshold(100));
    Session inLine = record("values", RecorderOptions.defaults());
    Map<String, Change> hidden = new HashMap<>();
    Map<String, Change> named = new HashMap<>();
    List<JsonObject> lines = lines(original);
    for (int i = 0; i < lines.size(); i++) {
      for (String name : List.of("params", "output", "prompt")) {
        if (lines.get(i).has(name + "_ref")) {
          hidden.put(i + 1 + "/" + name + "_ref", HIDE);
          hidden.put(i + 1 + "/" + name + "_hash", HIDE);
          hidden.put(i + 1 + "/" + name + "_preview", HIDE);
        }
        named.put(i + 1 + "/" + name, WITHHOLD);
      }
    }
    assertThat(hidden).isNotEmpty();
    SessionDiff diff = SessionDiff.between(original, publish(original, hidden));
    assertThat(diff.isIdentical()).isTrue();
    assertThat(pointers(diff)).contains("WITHHELD /params", "WITHHELD /output");

    Session copy = publish(inLine, named);
    assertThat(SessionDiff.between(copy, original).summary().divergencesByKind())
        .containsOnlyKeys(DivergenceKind.WITHHELD);
    Session shown = publish(inLine, Map.of("2/task", WITHHOLD));
    assertThat(SessionDiff.between(original, shown).divergences()).isEmpty();
  }

  @Test
  void replaced_ids_of_agents_are_paired_by_their_first_calls() throws IOException {
    StringBuilder log = new StringBuilder();
    Map<String, Change> changes = new HashMap<>();
    Map<String, Change> withheld = new HashMap<>();
    String[] agents = {"b", "a", "b", "a", "c"};
    for (int i = 0; i < agents.length; i++) {
      String agent = agents[i];
      log.append(("{\"agent\":\"%s\",\"event\":\"ToolCall\",\"id\":\"c%d\",\"params\":{\"n\":%d},"
              + "\"step_id\":\"s\",\"t\":\"2026-01-13T10:00:01Z\",\"tool\":\"read\"}%n")
          .formatted(agent, i, i));
      changes.put(i + 2 + "/agent", replace("id-" + agent.hashCode(), "id"));
      changes.put(i + 2 + "/params", WITHHOLD);
      withheld.put(i + 2 + "/agent", WITHHOLD);
    }
    Session original = log("lanes", log.toString());
    for (Map<String, Change> each : List.of(changes, withheld)) {
      SessionDiff diff = SessionDiff.between(publish(original, each), original);
      assertThat(diff.isIdentical()).isTrue();
      assertThat(diff.summary().calls().matched()).isEqualTo(agents.length);
      assertThat(diff.alignment()).allSatisfy(pair -> assertThat(pair.left().line())
          .isEqualTo(pair.right().line()));
    }
  }

  @Test
  void settings_are_steps_of_both_sessions_or_of_neither() throws IOException {
    Session original = log(
        "settings",
        """
        {"event":"Settings","t":"2026-01-13T10:00:02Z","values":{"locale":{"source":"file","value":"de"}}}
        {"event":"Settings","t":"2026-01-13T10:00:02Z","values":{"depth":{"source":"file","value":3},"locale":{"source":"file","value":"de"}}}
        {"event":"ToolCall","id":"c1","params":{"n":1},"step_id":"s","t":"2026-01-13T10:00:01Z","tool":"read"}
        """);
    for (Map<String, Change> changes : List.<Map<String, Change>>of(
        Map.of("2/values/locale", HIDE, "3/values/depth", HIDE),
        Map.of("2/values/locale", WITHHOLD, "3/values/depth", WITHHOLD),
        Map.of("2/values", replace(JsonObject.EMPTY, "policy")),
        Map.of("3/values/depth/value", WITHHOLD, "3/values/locale/value", WITHHOLD))) {
      SessionDiff diff = SessionDiff.between(original, publish(original, changes));
      assertThat(diff.isIdentical()).as("%s", changes).isTrue();
    }
  }

  @Test
  void unknown_event_whose_type_is_replaced_is_compared_with_its_original() throws IOException {
    Session original = log(
        "unknown",
        """
        {"event":"Weather","sky":"blue","t":"2026-01-13T10:00:02Z"}
        {"event":"Traffic","cars":3,"t":"2026-01-13T10:00:02Z"}
        """);
    Session copy = publish(
        original, Map.of("2/event", replace("Withheld", "policy"), "2/sky", HIDE, "3/cars", HIDE));
    SessionDiff diff = SessionDiff.between(original, copy);

    assertThat(pointers(diff)).containsExactly("WITHHELD /sky", "WITHHELD /cars");
    assertThat(diff.isIdentical()).isTrue();
  }

  @Test
  void copy_without_openings_withholds_the_members_that_it_lacks() throws IOException {
    Session original = log(
        "plain-original",
        """
        {"event":"ToolCall","id":"c1","params":{"n":1,"words":["a","b"]},"step_id":"s","t":"2026-01-13T10:00:01Z","tool":"read"}
        """);
    Session copy = new Session(
        Files.writeString(
            home.resolve("plain"),
            """
            {"created_at":"2026-01-13T10:00:00Z","event":"ReplayHeader","producer":"p@1","published":{"form":"plain","policy":{"id":"open_source"},"source":"valid"},"replay_version":1}
            {"event":"ToolCall","id":"c1","params":{"words":[null,"b"]},"step_id":"s","t":"2026-01-13T10:00:01Z","tool":"read"}
            """),
        null);

    assertThat(pointers(SessionDiff.between(original, copy)))
        .containsExactly("WITHHELD /params/n", "WITHHELD /params/words/0");
    assertThat(SessionDiff.between(original, altered(copy, "\"b\"", "\"c\"")).isIdentical())
        .isFalse();
  }

  @Test
  void rules_apply_to_what_both_show() throws IOException {
    Session original = record("rules", RecorderOptions.defaults());
    Session copy = publish(original, Map.of("2/task", WITHHOLD));
    Session altered = altered(copy, "answer 2", "answer x");
    DiffOptions options = DiffOptions.defaults().plus(Ignore.at("/answer"));

    assertThat(SessionDiff.between(original, altered).isIdentical()).isFalse();
    SessionDiff diff = SessionDiff.between(original, altered, options);
    assertThat(diff.isIdentical()).isTrue();
    assertThat(diff.rules().get(0).left()).isEqualTo(4);
  }

  @Test
  void test_case_of_a_withheld_value_that_is_not_listed_passes() throws IOException {
    Session original = record("many", RecorderOptions.defaults());
    Map<String, Change> changes = new HashMap<>();
    List<JsonObject> lines = lines(original);
    for (int i = 0; i < lines.size(); i++) {
      changes.put(i + 1 + "/params", WITHHOLD);
    }
    SessionDiff diff = SessionDiff.between(
        original, publish(original, changes), DiffOptions.defaults().withMaxDivergences(1));

    assertThat(diff.summary().divergences()).isEqualTo(4);
    assertThat(JUnitReport.render(diff)).contains("failures=\"0\"").doesNotContain("<failure");
  }
}
