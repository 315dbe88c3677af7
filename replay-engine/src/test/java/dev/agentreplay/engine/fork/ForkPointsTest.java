package dev.agentreplay.engine.fork;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.io.session.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The points at which recordings can be forked, and why others are refused. */
class ForkPointsTest {

  private static final String HEADER =
      "{\"created_at\":\"2026-01-01T00:00:00Z\",\"event\":\"ReplayHeader\",\"producer\":\"x\","
          + "\"replay_version\":1}";

  @TempDir
  Path directory;

  private Session log(String... lines) throws Exception {
    Path log = directory.resolve(Session.LOG_NAME);
    Files.writeString(log, HEADER + "\n" + String.join("\n", lines) + "\n");
    return Session.open(directory);
  }

  private static String call(String id, String rest) {
    return "{\"event\":\"ToolCall\",\"id\":\"%s\",\"params\":{},\"tool\":\"t\"%s}"
        .formatted(id, rest);
  }

  private static String result(String id) {
    return "{\"event\":\"ToolResult\",\"id\":\"%s\",\"output\":1}".formatted(id);
  }

  private static List<String> refusals(ForkPoints points) {
    return points.all().stream()
        .map(point -> point.refusal() == null ? "yes" : point.refusal())
        .toList();
  }

  @Test
  void a_point_after_each_complete_exchange_is_possible() throws Exception {
    ForkPoints points = ForkPoints.of(log(call("a", ""), result("a"), call("b", ""), result("b")));

    assertThat(refusals(points)).containsExactly("yes", "yes");
    assertThat(points.all()).extracting(ForkPoint::line).containsExactly(2L, 4L);
    assertThat(points.at(4).head().size()).isEqualTo(3);
    assertThat(points.at(3)).isNull();
    assertThat(points.nearest(3)).extracting(ForkPoint::line).containsExactly(2L, 4L);
    assertThat(points.nearest(100)).extracting(ForkPoint::line).containsExactly(4L);
  }

  @Test
  void a_point_while_a_call_is_open_is_refused() throws Exception {
    ForkPoints points =
        ForkPoints.of(log(call("a", ""), call("b", ""), result("b"), result("a"), call("c", "")));

    assertThat(refusals(points))
        .containsExactly("yes", "t on line 2 is open: its result is on line 5", "yes");
  }

  @Test
  void a_call_that_is_never_answered_ends_the_points() throws Exception {
    ForkPoints points =
        ForkPoints.of(log(call("a", ""), call("b", ""), result("b"), call("c", "")));

    assertThat(refusals(points))
        .containsExactly("yes", "t on line 2 has no result", "t on line 2 has no result");
  }

  @Test
  void a_call_that_started_an_agent_may_be_open() throws Exception {
    ForkPoints points = ForkPoints.of(log(
        call("a", ""),
        call("b", ",\"agent\":\"helper\",\"parent\":\"a\""),
        "{\"agent\":\"helper\",\"event\":\"ToolResult\",\"id\":\"b\",\"output\":1}",
        result("a"),
        call("c", "")));

    assertThat(refusals(points)).containsExactly("yes", "yes", "yes");
  }

  @Test
  void a_result_without_its_value_ends_the_points() throws Exception {
    String hash = "sha256:" + "0".repeat(64);
    ForkPoints points = ForkPoints.of(log(
        call("a", ""),
        "{\"event\":\"ToolResult\",\"id\":\"a\",\"output_hash\":\"%s\"}".formatted(hash),
        call("b", "")));

    assertThat(refusals(points))
        .containsExactly("yes", "of the result of t on line 2 only the hash is known");
  }

  @Test
  void a_gap_ends_the_points() throws Exception {
    ForkPoints points = ForkPoints.of(log(
        call("a", ""),
        result("a"),
        "{\"event\":\"RecordingGap\",\"reason\":\"full\",\"unrecorded_events\":2}",
        call("b", "")));

    assertThat(refusals(points)).containsExactly("yes", "line 4 states that events are missing");
  }

  @Test
  void nothing_is_before_the_first_line() throws Exception {
    Path log = directory.resolve(Session.LOG_NAME);
    Files.writeString(log, call("a", "") + "\n" + result("a") + "\n");

    assertThat(refusals(ForkPoints.of(Session.open(directory))))
        .containsExactly("nothing is before it");
  }

  @Test
  void the_files_are_known_if_no_tool_can_have_changed_them() throws Exception {
    Session session = log(call("a", ""), result("a"), call("b", ""), result("b"));

    assertThat(ForkPoints.of(session, Map.of("t", Effect.PURE)).all())
        .extracting(ForkPoint::files)
        .containsExactly(ForkPoint.Files.UNCHANGED, ForkPoint.Files.UNCHANGED);
    ForkPoint after = ForkPoints.of(session).all().get(1);
    assertThat(after.files()).isEqualTo(ForkPoint.Files.UNKNOWN);
    assertThat(after.unknownFiles())
        .isEqualTo("there is no snapshot, and t on line 2 may have changed files");
  }

  @Test
  void annotations_make_the_effect_of_a_tool_greater() throws Exception {
    Session session = log(
        "{\"event\":\"Settings\",\"values\":{\"tools\":{\"value\":[{\"annotations\":"
            + "{\"destructive\":true},\"name\":\"t\"}]}}}",
        call("a", ""),
        result("a"),
        call("b", ""));

    assertThat(ForkPoints.of(session, Map.of("t", Effect.PURE)).all().get(1).files())
        .isEqualTo(ForkPoint.Files.UNKNOWN);
  }

  @Test
  void a_changed_file_whose_content_is_missing_makes_the_files_unknown() throws Exception {
    String hash = "sha256:" + "1".repeat(64);
    Session session = log(
        "{\"event\":\"Settings\",\"values\":{\"workspace\":{\"value\":{\"hash\":\"%s\"}}}}"
            .formatted(hash),
        call("a", ""),
        "{\"bytes\":1,\"event\":\"FileState\",\"hash_after\":\"%s\",\"path\":\"a.txt\"}"
            .formatted(hash),
        result("a"),
        call("b", ""));

    List<ForkPoint> points = ForkPoints.of(session).all();
    assertThat(points.get(0).files()).isEqualTo(ForkPoint.Files.RECORDED);
    assertThat(points.get(1).unknownFiles())
        .isEqualTo("the content of a.txt on line 4 is not recorded");
  }
}
