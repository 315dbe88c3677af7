package dev.agentreplay.engine.fork;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The points at which recordings can be forked, and why others are refused. */
class ForkPointsTest {

  private static final String HEADER =
      "{\"created_at\":\"2026-01-01T00:00:00Z\",\"event\":\"ReplayHeader\",\"producer\":\"x\","
          + "\"replay_version\":1}";

  private static final String TEXT = "\"a text\"";

  @TempDir
  Path directory;

  private Session log(String... lines) throws Exception {
    return logWith(HEADER, lines);
  }

  private Session logWith(String header, String... lines) throws Exception {
    Path log = directory.resolve(Session.LOG_NAME);
    Files.writeString(log, header + "\n" + String.join("\n", lines) + "\n");
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

  @Test
  void a_published_copy_has_no_points() throws Exception {
    String header = HEADER.replace(
        "\"producer\":\"x\",",
        "\"producer\":\"x\",\"published\":{\"form\":\"commitments\",\"policy\":{\"id\":\"x\"}},");

    ForkPoints points = ForkPoints.of(logWith(header, call("a", ""), result("a"), call("b", "")));

    assertThat(refusals(points))
        .containsExactly("the recording is a published copy", "the recording is a published copy");
    assertThat(points.possible()).isEmpty();
    assertThat(points.nearest(2)).isEmpty();
  }

  @Test
  void a_result_whose_blob_is_known_does_not_end_the_points() throws Exception {
    assertThat(refusals(ForkPoints.of(withBlob(TEXT)))).containsExactly("yes", "yes", "yes");
  }

  @Test
  void a_result_whose_blob_is_missing_ends_the_points() throws Exception {
    String reason = "of the result of t on line 2 only the hash is known";

    assertThat(refusals(ForkPoints.of(withBlob(null)))).containsExactly("yes", reason, reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"b text\"", "\"a longer text\"", ""})
  void a_result_whose_blob_is_damaged_ends_the_points(String damaged) throws Exception {
    List<String> refusals = refusals(ForkPoints.of(withBlob(damaged)));

    assertThat(refusals).hasSize(3).startsWith("yes");
    assertThat(refusals.subList(1, 3))
        .allMatch(each -> each.startsWith("the result of t on line 2 cannot be read: "));
  }

  /** A session with a result whose value is in a blob with this content; null if it is missing. */
  private Session withBlob(@Nullable String stored) throws Exception {
    ContentHash hash = ContentHash.sha256(TEXT.getBytes(StandardCharsets.UTF_8));
    Path blobs = Files.createDirectories(directory.resolve(Session.BLOBS_NAME));
    if (stored != null) {
      Files.writeString(blobs.resolve(hash.toString().replace(':', '-') + ".json"), stored);
    }
    return log(
        call("a", ""),
        ("{\"event\":\"ToolResult\",\"id\":\"a\",\"output_hash\":\"%s\","
                + "\"output_ref\":{\"blob\":\"%s\",\"bytes\":%d}}")
            .formatted(hash, hash, TEXT.length()),
        call("b", ""),
        result("b"),
        call("c", ""));
  }

  @Test
  void a_session_that_was_resumed_on_a_changed_workspace_has_unknown_files() throws Exception {
    ForkPoints points = ForkPoints.of(log(
        workspace("1"),
        call("a", ""),
        result("a"),
        workspace("1"),
        call("b", ""),
        result("b"),
        workspace("2"),
        call("c", "")));

    assertThat(points.all())
        .extracting(ForkPoint::files)
        .containsExactly(
            ForkPoint.Files.RECORDED, ForkPoint.Files.RECORDED, ForkPoint.Files.UNKNOWN);
    assertThat(points.at(9).unknownFiles())
        .isEqualTo("the session was resumed on a workspace that had changed, on line 8");
    assertThat(points.at(9).isPossible()).isTrue(); // with tools that are only served
  }

  private static String workspace(String digit) {
    return "{\"event\":\"Settings\",\"values\":{\"workspace\":{\"value\":{\"hash\":\"sha256:%s\"}}}}"
        .formatted(digit.repeat(64));
  }
}
