package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayListener;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.TestReports;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data of the page of a replay. */
class RunPageTest {

  private static final Pattern DATA = Pattern.compile(
      "<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);

  @TempDir
  Path home;

  private Session recording;

  /** The page that was written when the last replay ended. */
  private String page = "";

  private @Nullable Path replayed;

  @BeforeEach
  void record() throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(home.resolve("recorded"), "s")) {
      run(AgentScope.recording(recorder, Executors.none()), "a.txt");
    }
    recording = Session.open(home.resolve("recorded"));
  }

  private static void run(AgentScope scope, String path) throws Exception {
    scope.run("list", Map.of("directory", "src"), () -> List.of("a.txt"));
    try {
      scope.run("read_file", Map.of("path", path), () -> "text");
    } catch (ReplayMissException missed) {
      assertThat(missed.miss().nearest()).isNotNull(); // an agent may do without the text
    }
    scope.run("write_file", Map.of("path", "b.txt"), () -> "done");
  }

  private ReplayReport replay(OnUnmatched onUnmatched, ReplayAgent agent) throws Exception {
    return Replay.of(recording)
        .mode(ReplayMode.MOCK)
        .onUnmatched(onUnmatched)
        .listener(new ReplayListener() {
          @Override
          public void ended(ReplayReport report, @Nullable Session compared) {
            assertThat(compared).isNotNull();
            replayed = compared.log();
            page = page(report, compared);
          }
        })
        .run(agent);
  }

  private String page(ReplayReport report, @Nullable Session compared) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      HtmlViewer.render(report, recording, compared, out);
      return out.toString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String dataText(String page) {
    Matcher data = DATA.matcher(page);
    assertThat(data.find()).isTrue();
    return data.group(1);
  }

  private static JsonObject data(String page) {
    return JsonText.parse(dataText(page)).asObject();
  }

  @Test
  void report_in_a_page_is_what_was_approved() throws Exception {
    ReplayReport missed = replay(OnUnmatched.STOP, scope -> run(scope, "c.txt"));
    ReplayReport report = TestReports.mixed(TestDiffs.mixed(), missed.root().miss(), "read_file");
    String actual = JsonText.pretty(data(page(report, recording)).at("/run").asObject()) + "\n";
    Path kept = Path.of("target/reports/run-page.json");
    Files.createDirectories(kept.getParent());
    Files.writeString(kept, actual);

    try (InputStream in = RunPageTest.class.getResourceAsStream("/reports/run-page.json")) {
      assertThat(actual)
          .as("to approve it, from replay-engine: cp %s src/test/resources/reports/", kept)
          .isEqualTo(in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void events_of_a_replay_state_the_answer_the_rule_and_the_recorded_line() throws Exception {
    replay(OnUnmatched.ERROR, scope -> run(scope, "c.txt"));
    JsonArray events = data(page).at("/sessions/1/events").asArray();
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      JsonValue stated = events.get(i).find("/replayed");
      if (stated != null) {
        answers.add(stated.toString());
      }
    }
    assertThat(answers)
        .containsExactly(
            "{\"action\":\"served\",\"line\":3,\"match\":\"exact\"}",
            "{\"action\":\"served\",\"line\":3,\"match\":\"exact\"}",
            "{\"action\":\"missed\"}",
            "{\"action\":\"missed\"}",
            "{\"action\":\"served\",\"line\":7,\"match\":\"exact\"}",
            "{\"action\":\"served\",\"line\":7,\"match\":\"exact\"}");
    assertThat(data(page).at("/sessions/0/events").toString()).doesNotContain("\"replayed\"");
  }

  @Test
  void miss_is_at_its_pair_with_the_nearest_request_and_without_its_result() throws Exception {
    ReplayReport report = replay(OnUnmatched.STOP, scope -> {
      run(scope, "c.txt");
      scope.call("after", Map.of());
    });
    JsonObject data = data(page);
    JsonObject miss = data.at("/run/divergences/0").asObject();

    assertThat(miss.at("/kind").asString()).isEqualTo("MISS");
    assertThat(miss.at("/number").asLong()).isZero();
    assertThat(miss.at("/miss").toString())
        .isEqualTo("{\"class\":\"diverged\",\"name\":\"read_file\",\"line\":5,"
            + "\"pointer\":\"/params/path\",\"recorded\":\"\\\"a.txt\\\"\","
            + "\"actual\":\"\\\"c.txt\\\"\"}");
    assertThat(miss.at("/values").asArray().size()).isEqualTo(1);
    assertThat(miss.at("/values/0/before/json").asString()).isEqualTo("\"a.txt\"");
    assertThat(data.at("/alignment").toString()).contains("[\"changed\",5,5,0]");
    assertThat(data.at("/diff/divergences").asArray().size()).isZero();
    // those that the report does not list follow, with the numbers that the pairs refer to
    JsonArray all = data.at("/run/divergences").asArray();
    assertThat(all.size()).isGreaterThan(report.divergences().size());
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).at("/number").asLong()).isEqualTo(i);
      boolean isListed = i < report.divergences().size();
      assertThat(all.get(i).at("/severity").asString().equals("none")).isNotEqualTo(isListed);
    }
    JsonArray pairs = data.at("/alignment").asArray();
    for (int i = 0; i < pairs.size(); i++) {
      JsonValue number = pairs.get(i).at("/3");
      assertThat(number instanceof JsonNull || number.asLong() < all.size()).isTrue();
    }
  }

  @Test
  void pairs_refer_to_divergences_by_the_numbers_of_the_report() throws Exception {
    Path directory = home.resolve("stated");
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      // a replay does not state it
      recorder.emit(Verification.of(Verification.CommandRun.of("make test", 0)));
      run(AgentScope.recording(recorder, Executors.none()), "a.txt");
    }
    recording = Session.open(directory);
    ReplayReport report = replay(OnUnmatched.ERROR, scope -> run(scope, "c.txt"));

    assertThat(report.divergences().get(0).comparison().number()).isEqualTo(1);
    JsonObject data = data(page);
    assertThat(data.at("/alignment").toString()).contains("[\"missing\",3,null,1]", ",0]");
    assertThat(data.at("/run/divergences/0/kind").asString()).isEqualTo("MISS");
    assertThat(data.at("/run/divergences/1/rule").asString()).isEqualTo("not stated");
  }

  @Test
  void temporary_session_is_rendered_before_it_is_deleted_and_not_named() throws Exception {
    ReplayReport report = replay(OnUnmatched.STOP, scope -> run(scope, "a.txt"));

    assertThat(report.directory()).isNull();
    assertThat(replayed).isNotNull().doesNotExist();
    assertThat(data(page).at("/sessions/1/name").asString()).isEqualTo("replay");
    assertThat(data(page).at("/sessions/1/lines").asLong()).isGreaterThan(6);
    assertThat(page)
        .contains("<title>Replay of recorded</title>")
        .doesNotContain(replayed.getParent().toString())
        .doesNotContain(replayed.getParent().getParent().getFileName().toString());
  }

  @Test
  void same_replay_makes_the_same_page() throws Exception {
    Path kept = home.resolve("kept");
    ReplayReport report =
        Replay.of(recording).mode(ReplayMode.MOCK).directory(kept).run(scope -> run(scope, "c"));

    assertThat(page(report, Session.open(kept))).isEqualTo(page(report, Session.open(kept)));
    assertThat(data(page(report, Session.open(kept))).at("/sessions/1/name").asString())
        .isEqualTo("kept");
  }

  @Test
  void page_without_the_session_of_the_replay_has_the_recording_and_the_report() throws Exception {
    ReplayReport report = replay(OnUnmatched.STOP, scope -> run(scope, "c.txt"));
    JsonObject data = data(page(report, null));

    assertThat(data.at("/sessions").asArray().size()).isEqualTo(1);
    assertThat(data.names()).doesNotContain("diff", "alignment");
    assertThat(data.at("/run/divergences/0/left/line").asLong()).isEqualTo(5);
  }

  @Test
  void validation_has_the_verification_and_its_findings_at_their_lines() throws Exception {
    String log = Files.readString(recording.log());
    Files.writeString(recording.log(), log.replace("b.txt", "B.txt"));
    ReplayReport report = Replay.of(Session.open(home.resolve("recorded"))).run();
    JsonObject run = data(page(report, null)).at("/run").asObject();

    assertThat(run.at("/mode").asString()).isEqualTo("validation");
    assertThat(run.at("/verification/verdict").asString()).isEqualTo("invalid");
    assertThat(run.at("/verification/proved").toString()).contains("outputs match their hash");
    assertThat(run.at("/verification/findings").toString())
        .contains("[7,true,\"PARAMS_HASH_MISMATCH: ");
  }

  @Test
  void validation_compares_with_the_other_recording_by_its_name() throws Exception {
    Path other = home.resolve("other");
    try (SessionRecorder recorder = SessionRecorder.start(other, "s")) {
      run(AgentScope.recording(recorder, Executors.none()), "c.txt");
    }
    ReplayReport report = Replay.of(recording).against(Session.open(other)).run();
    JsonObject data = data(page(report, Session.open(other)));

    assertThat(data.at("/sessions/1/name").asString()).isEqualTo("other");
    assertThat(data.at("/diff/right/name").asString()).isEqualTo("other");
    assertThat(data.at("/run/divergences/0/kind").asString()).isEqualTo("PARAMS");
  }

  @Test
  void hostile_texts_of_a_report_write_no_character_of_markup() throws IOException {
    for (String text : ViewedSessions.HOSTILE) {
      ReplayReport report = TestReports.mixed(TestDiffs.hostile(), null, text + TestDiffs.HOSTILE);
      String page = page(report, recording);
      assertThat(dataText(page)).doesNotContain("<", ">", "&", "\u2028", "\u2029");
      assertThat(page.split("<script", -1)).hasSize(3);
      assertThat(data(page).at("/run/incomplete/1").asString()).startsWith(text);
    }
  }

  @Test
  void provenance_that_a_log_states_is_shortened() throws IOException {
    String action = "</script>" + "x".repeat(100_000);
    ReplayEvent call = ToolCall.of("1", "t", JsonObject.EMPTY)
        .withMeta(new Provenance(action, action, 7L).addTo(Meta.NONE));
    Session session = ViewedSessions.write(home.resolve("hostile"), List.of(call));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlViewer.render(session, out);
    JsonValue stated =
        data(out.toString(StandardCharsets.UTF_8)).at("/sessions/0/events/2/replayed");

    assertThat(stated.at("/action").asString()).hasSize(200).startsWith("</script>");
    assertThat(stated.at("/match").asString()).hasSize(200);
    assertThat(stated.at("/line").asLong()).isEqualTo(7);
  }
}
